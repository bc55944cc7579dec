/** Generated from the house by scripts/room types: do not change it here. */

/** The events that a proof contains. */
export const PROOF_EVENTS = ["AnnouncementPlaced", "BallChainCommitted", "BallCommitted", "BallPocketed", "BallRevealed", "BallVoided", "BettingClosed", "NonceCommitted", "NonceOpened", "NumberCalled", "NumberCorrected", "PlayerLeft", "PlayerSat", "StakePlaced", "StakesReturned", "TableClosed", "TableSetUp"] as const;

/** The house's names of the colours of chips, in order; a table with more numbers them. */
export const COLOURS = ["blue", "orange", "green", "purple", "yellow", "pink", "cyan", "brown", "lime", "grey"] as const;

/** Blue, yellow, vermilion, ivory, violet, sky, brown, orange, slate and ink. */
export const HUES = ["#2b5bd7", "#ffd21f", "#d6331f", "#eef6ee", "#8f3a86", "#7bccf8", "#5e2f08", "#ea902c", "#9491a6", "#1f1a38"] as const;

/** The edge spots: how often a group repeats around the chip, and the widths of its spots. */
export const EDGES = [[6, [1.0]], [4, [0.5, 0.5]], [12, [1.0]], [3, [1.0, 0.3, 0.3]]] as const;

/** The dark colour of figures on chips. */
export const INK = "#221c14" as const;

/** The light colour of figures on chips. */
export const IVORY = "#fbf6e6" as const;
