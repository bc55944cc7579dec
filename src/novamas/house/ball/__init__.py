"""The ball of a drawn table: committed seeds, the draw, its health check, and its verification."""
