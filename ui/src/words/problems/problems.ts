/** Problems in five languages; a reason without words fails the type check. */
import type { Language, ProblemWhy } from "../../api/types.ts";
import type { PlayerWhy } from "../messages.ts";
import { bg } from "./bg.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";

/** Reasons that a player may also see at the table have their words there. */
export type Problems = Readonly<Record<Exclude<ProblemWhy, PlayerWhy>, string>>;

export const PROBLEMS: Record<Language, Problems> = { es, it, bg, fr, en };
