import type { Capabilities, JsonObject, ModelFamily } from '../../core/api/index.ts';
import type { Edit } from './edits.ts';

/** How some models of a vendor take a request to reason. The row with the longest matching prefix applies. */
export interface ReasoningRow {
  /** Names of models, or how they start. `''`: all models without another row. */
  readonly models: readonly string[];
  /**
   * Accepted efforts, weakest first. `none`: reasoning can be switched off. Empty: the vendor refuses or ignores
   * `reasoning_effort`, so it is left out, as a loss.
   */
  readonly efforts?: readonly string[];
  /** The members with which the vendor says an effort, in place of `reasoning_effort`. */
  readonly words?: Readonly<Record<string, JsonObject>>;
  /** The path of the member with a number of reasoning tokens. Absent: the vendor has none. */
  readonly budgetMember?: string;
  /** The members that are needed beside a number of tokens. */
  readonly withBudget?: JsonObject;
  /** `true`: the model has no reasoning, so there is nothing to switch off. */
  readonly neverThinks?: boolean;
}

/** A vendor that says `thinking: {type}`, without degrees. */
export const thinkingSwitch = {
  efforts: ['none', 'enabled'],
  words: { none: { thinking: { type: 'disabled' } }, enabled: { thinking: { type: 'enabled' } } },
} as const;

/** For models without a row: no effort is known that they accept. */
export const unknownEfforts: ReasoningRow = { models: [''], efforts: [] };

const findLongest = <Row>(
  rows: readonly Row[],
  prefixesOf: (row: Row) => readonly string[],
  name: string,
): Row | undefined => {
  let found: { readonly row: Row; readonly length: number } | undefined;
  for (const row of rows)
    for (const prefix of prefixesOf(row))
      if (name.startsWith(prefix) && (found === undefined || prefix.length > found.length))
        found = { row, length: prefix.length };
  return found?.row;
};

/** The row of a model. `undefined`: the vendor has none for it, and gets efforts as the clients send them. */
export const findRow = (rows: readonly ReasoningRow[], model: string): ReasoningRow | undefined =>
  findLongest(rows, ({ models }) => models, model);

const describeRow = ({ efforts, neverThinks = false }: ReasoningRow): Capabilities => {
  if (efforts === undefined) return {};
  return { efforts, ...(neverThinks || efforts.includes('none') ? {} : { thinkingOff: false }) };
};

/** The families of a vendor, with what its rows say about reasoning. */
export function addReasoning(families: readonly ModelFamily[], rows: readonly ReasoningRow[]): readonly ModelFamily[] {
  const prefixes = new Set([...families.map(({ prefix }) => prefix), ...rows.flatMap(({ models }) => models)]);
  return [...prefixes].map((prefix) => {
    const row = findRow(rows, prefix);
    const family = findLongest(families, (one) => [one.prefix], prefix);
    return { prefix, capabilities: { ...family?.capabilities, ...(row === undefined ? {} : describeRow(row)) } };
  });
}

/** Says the effort in the words of the vendor. What a client of the wire has said in these words itself is kept. */
export function sayReasoning({ words = {}, budgetMember, withBudget = {} }: ReasoningRow): Edit | undefined {
  const root = budgetMember?.split('.', 1)[0];
  if (Object.keys(words).length === 0 && Object.keys(withBudget).length === 0) return undefined;
  return (body) => {
    const { reasoning_effort: effort } = body;
    const said = typeof effort === 'string' && Object.hasOwn(words, effort) ? words[effort] : undefined;
    const beside = root !== undefined && body[root] !== undefined ? withBudget : {};
    return [
      ...(said === undefined ? [] : [{ member: 'reasoning_effort', value: undefined }]),
      ...Object.entries({ ...said, ...beside })
        .filter(([member]) => body[member] === undefined)
        .map(([member, value]) => ({ member, value })),
    ];
  };
}
