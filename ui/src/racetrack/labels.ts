/** The words around the racetrack that no book has. */
export interface TrackLabels {
  /** The name of the racetrack. */
  track: string;
  /** What stands before a number, its neighbours meant: `neighbours of 17`. */
  neighbours: string;
  finals: string;
  straight: string;
  across: string;
  along: string;
  others: string;
  pieces: string;
}

export const english: TrackLabels = {
  track: "Racetrack",
  neighbours: "Neighbours of",
  finals: "Finals",
  straight: "straight up",
  across: "side by side",
  along: "one below",
  others: "Other calls",
  pieces: "pieces",
};
