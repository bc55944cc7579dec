/** The words around the racetrack that no book has. */
export interface TrackLabels {
  /** The name of the racetrack. */
  track: string;
  /** What stands before a number whose sector is meant: `Neighbours of 17`. */
  neighbours: string;
  finals: string;
}

export const english: TrackLabels = {
  track: "Racetrack",
  neighbours: "Neighbours of",
  finals: "Finals",
};
