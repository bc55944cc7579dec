/**
 * Which messages the source code uses, and which texts it holds itself.
 *
 * Components and modules are read into syntax trees, so that comments, styles and the names of
 * classes are not mistaken for words.
 */
import { parse } from "svelte/compiler";
import { forms, type Message } from "../message.ts";

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A text in the source that a user would read, or a key that cannot be followed. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Uses {
  /** Every string that stands in the code. */
  readonly strings: Set<string>;
  /** The groups whose keys are completed at run time. */
  readonly groups: Set<string>;
  /** Keys that are completed at run time outside any declared group. */
  readonly loose: Finding[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of children(node)) yield* walk(child);
}

/** The syntax tree; a module is read as the script of a component without any markup. */
function treeOf({ path, text }: Source): { root: Node; markup: Node; before: number } {
  const opening = '<script module lang="ts">\n';
  const component = path.endsWith(".svelte");
  const root = parse(component ? text : `${opening}${text}\n</script>`, {
    modern: true,
    filename: path,
  }) as unknown as Node & { fragment: Node };
  return { root, markup: root.fragment, before: component ? 0 : opening.length };
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The fixed parts of a template literal. */
const quasis = (node: Node): string[] =>
  (node["quasis"] as { value: { cooked?: string; raw: string } }[]).map(
    ({ value }) => value.cooked ?? value.raw,
  );

/** What of the messages the sources use. `areas` are the first parts of the keys. */
export function usesIn(
  sources: readonly Source[],
  groups: ReadonlySet<string>,
  areas: ReadonlySet<string>,
): Uses {
  const uses: Uses = { strings: new Set(), groups: new Set(), loose: [] };
  for (const source of sources) {
    const { root, before } = treeOf(source);
    for (const node of walk(root)) {
      if (node.type === "Literal" && typeof node["value"] === "string")
        uses.strings.add(node["value"]);
      // An attribute without braces is a string too, such as `confirms="console.pad.confirm"`.
      if (node.type === "Text") uses.strings.add(String(node["data"]));
      if (node.type !== "TemplateLiteral") continue;
      const [head = "", ...rest] = quasis(node);
      if (!rest.length) uses.strings.add(head);
      else if (areas.has(head.split(".")[0]!) && head.includes(".")) {
        const group = head.replace(/\.$/, "");
        if (groups.has(group) && head.endsWith(".") && rest.join("") === "") uses.groups.add(group);
        else {
          const line = lineAt(source.text, node.start - before);
          uses.loose.push({ path: source.path, line, text: head });
        }
      }
    }
  }
  for (const group of groups) if (uses.strings.has(group)) uses.groups.add(group);
  return uses;
}

/** The keys that nothing asks for. */
export function unusedKeys(keys: readonly string[], uses: Uses): string[] {
  return keys.filter(
    (key) => !uses.strings.has(key) && !uses.groups.has(key.slice(0, key.lastIndexOf("."))),
  );
}

/** Attributes that are read aloud or shown. */
const SHOWN = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "aria-valuetext",
  "label",
  "placeholder",
  "title",
]);

const without = (text: string, name: string): string => text.replaceAll(name, "");
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);

/** The strings that an expression may show as they stand, such as both of `late ? "a" : "b"`. */
function shown(node: Node): string[] {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : [];
    case "TemplateLiteral":
      return quasis(node);
    case "ConditionalExpression":
      return [...shown(node["consequent"] as Node), ...shown(node["alternate"] as Node)];
    case "LogicalExpression":
    case "BinaryExpression":
      return node["operator"] === "+" || node.type === "LogicalExpression"
        ? [...shown(node["left"] as Node), ...shown(node["right"] as Node)]
        : [];
    default:
      return [];
  }
}

/**
 * The texts of a component's markup that stand there themselves and not in the messages. `names`
 * are the same in every language.
 */
export function literalsIn(source: Source, names: readonly string[] = []): Finding[] {
  const found: Finding[] = [];
  const note = (node: Node, texts: readonly string[]): void => {
    const line = lineAt(source.text, node.start);
    for (const text of texts.filter((each) => hasWords(names.reduce(without, each))))
      found.push({ path: source.path, line, text: text.trim() });
  };
  const partOf = (part: Node): string[] =>
    part.type === "Text" ? [String(part["data"])] : shown(part["expression"] as Node);
  const look = (node: Node): void => {
    if (node.type.endsWith("Directive")) return;
    if (node.type === "Attribute") {
      const value = [node["value"]].flat().filter(isNode);
      if (SHOWN.has(String(node["name"]))) note(node, value.flatMap(partOf));
      return;
    }
    if (node.type === "Text" || node.type === "ExpressionTag") note(node, partOf(node));
    for (const child of children(node)) look(child);
  };
  look(treeOf(source).markup);
  return found;
}

/** Keys that a language lacks, and keys that it has and English has not. */
export function differingKeys(english: object, other: object): string[] {
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(other, key));
  const unknown = Object.keys(other).filter((key) => !Object.hasOwn(english, key));
  return [...missing, ...unknown];
}

/** Keys whose message has other blanks in a language than in English. */
export function differingBlanks(
  english: Readonly<Record<string, Message>>,
  other: Readonly<Record<string, Message>>,
): string[] {
  const blanks = (message: Message | undefined): string => {
    if (message === undefined) return "";
    const texts = [...forms(message), ...(typeof message === "string" ? [] : ["{count}"])];
    return [...new Set(texts.flatMap((text) => text.match(/\{[^}]*\}/g) ?? []))].sort().join(" ");
  };
  return Object.keys(english).filter((key) => blanks(english[key]) !== blanks(other[key]));
}
