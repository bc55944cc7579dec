"""The web: the house over HTTP and sockets."""
