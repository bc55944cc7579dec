/**
 * The books of the houses as the screens get them, and of the example with three zeros, for tests and
 * for the gallery. `scripts/room books` writes them.
 */
import type { Book } from "../api/types";
import ar from "./fixtures/ar.json";
import bg from "./fixtures/bg.json";
import es from "./fixtures/es.json";
import esam from "./fixtures/esam.json";
import fr from "./fixtures/fr.json";
import fram from "./fixtures/fram.json";
import fran from "./fixtures/fran.json";
import it from "./fixtures/it.json";
import sd from "./fixtures/sd.json";
import triplezero from "./fixtures/triplezero.json";

const all = { ar, es, it, bg, fr, fram, fran, esam, sd, triplezero };
export type HouseId = keyof typeof all;

export const books = all as unknown as Record<HouseId, Book>;
