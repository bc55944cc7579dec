/** Generated from the house by scripts/room types: do not change it here. */

/** The events that a proof contains. */
export const PROOF_EVENTS = ["AnnouncementPlaced", "BallChainCommitted", "BallCommitted", "BallPocketed", "BallRevealed", "BallVoided", "BettingClosed", "NonceCommitted", "NonceOpened", "NumberCalled", "NumberCorrected", "PlayerLeft", "PlayerSat", "StakePlaced", "StakesReturned", "TableClosed", "TableSetUp"] as const;

/** Milliseconds from the number until the ball lies still: then the house calls it. */
export const FALLING = 3000 as const;
