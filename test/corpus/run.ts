import { startCorpusGateway } from './corpus-gateway.ts';
import type { CorpusLine } from './lines.ts';
import { checkNative } from './native-lane.ts';
import { checkTranslation, type Translation } from './translated-lane.ts';
import type { CorpusOperation } from './wire-adapter.ts';

/** How many lines of a file passed on one lane: native, or translated to a client of another wire. */
export interface Tally {
  readonly file: string;
  readonly way: string;
  readonly total: number;
  passed: number;
  /**
   * Of the passed: the request was refused with a 400 that names the cause, and the response was read with a minimal
   * request.
   */
  refused: number;
  /** Of the passed: part of the request does not exist on the other wire, and the losses were reported. */
  lossy: number;
  readonly failures: string[];
  readonly refusals: string[];
}

export const startTally = (file: string, way: string, total: number): Tally => ({
  file,
  way,
  total,
  passed: 0,
  refused: 0,
  lossy: 0,
  failures: [],
  refusals: [],
});

const explain = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

export const count = async (tally: Tally, id: string, check: () => Promise<Translation>): Promise<void> => {
  const {
    failure,
    refused,
    lossy = false,
  } = await check().catch((thrown: unknown): Translation => ({ failure: explain(thrown) }));
  if (failure !== undefined) return void tally.failures.push(`${tally.way} ${id}: ${failure}`);
  tally.passed += 1;
  if (lossy) tally.lossy += 1;
  if (refused === undefined) return undefined;
  tally.refused += 1;
  return void tally.refusals.push(`${tally.way} ${id}: ${refused}`);
};

/** Lines through a gateway: on their own wire, and to clients of each other wire. */
export const runLines = async <W extends string, A>(
  file: string,
  lines: readonly CorpusLine[],
  operation: CorpusOperation<W, A>,
  wire: W,
): Promise<readonly Tally[]> => {
  const native = startTally(file, `${wire} native`, lines.length);
  const translations = operation.wires
    .filter((other) => other !== wire)
    .map((other) => ({ other, tally: startTally(file, `${wire} > ${other}`, lines.length) }));
  const at = await startCorpusGateway(operation, lines, wire);
  for (const line of lines) {
    await count(native, line.id, async () => ({
      failure: await checkNative(line, operation.cards[wire], operation.failed, at),
    }));
    for (const { other, tally } of translations)
      await count(tally, line.id, () => checkTranslation(line, operation, wire, other, at));
  }
  await at.stop();
  return [native, ...translations.map(({ tally }) => tally)];
};
