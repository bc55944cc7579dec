import { console } from "./console.ts";
import { decisions } from "./decisions.ts";
import { people } from "./people.ts";
import { refusals } from "./refusals.ts";
import { room } from "./room.ts";

export default { ...room, ...console, ...people, ...decisions, ...refusals };
