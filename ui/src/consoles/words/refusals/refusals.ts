/** What the house refuses its staff, in five languages. */
import type { Language } from "../../../api/types";
import { bg } from "./bg";
import { en } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { it } from "./it";

export type StaffRefusals = Readonly<Record<keyof typeof en, string>>;

export const STAFF_REFUSALS: Record<Language, StaffRefusals> = { es, it, bg, fr, en };
