import { counting } from '../answers/counting.ts';
import { embedding, type Vectors } from '../answers/embedding.ts';
import { generation } from '../answers/generation.ts';
import { checkSdk } from '../errors/check-sdk.ts';
import type { CorpusLine, Json } from '../lines.ts';
import { count, startTally, type Tally } from '../run.ts';
import type { CorpusOperation } from '../wire-adapter.ts';
import { readBedrockLines, type BedrockLine } from './lines.ts';
import { startBedrock } from './run.ts';

const isFailed = ({ response }: CorpusLine): boolean => response.status >= 400;

/** A client of each wire reads the recorded response, or gets the recorded error, by its SDK. */
const runOperation = async <W extends string, A>(
  file: string,
  lines: readonly BedrockLine[],
  { wires, routes, cards, compare, failed }: CorpusOperation<W, A>,
  read: (line: BedrockLine) => A,
): Promise<readonly Tally[]> => {
  const at = await startBedrock(lines, { wires, routes });
  const check = async (line: BedrockLine, to: W): Promise<string | undefined> => {
    const [card, model] = [cards[to], at.modelOf(line)];
    if (isFailed(line)) return checkSdk(line, to, card, failed, at, model);
    at.replay(line);
    return compare(await card.send(at.url, model, card.minimal(line), line.stream), read(line), to);
  };
  const tallies: Tally[] = [];
  for (const to of wires) {
    const tally = startTally(file, `bedrock ${lines[0]?.style} > ${to}`, lines.length);
    for (const line of lines) await count(tally, line.id, async () => ({ failure: await check(line, to) }));
    tallies.push(tally);
  }
  await at.stop();
  return tallies;
};

const vectorsOf = ({ embedding: one, embeddings: all }: Json): readonly (readonly number[])[] => {
  if (one !== undefined) return [one as readonly number[]];
  const listed = ((all as Json)['float'] ?? all) as readonly (readonly number[] | Json)[];
  return listed.map((each) => (Array.isArray(each) ? each : (each as Json)['embedding']) as readonly number[]);
};

const readVectors = ({ response: { body = {}, headers } }: BedrockLine): Vectors => ({
  vectors: vectorsOf(body).map((vector) => vector.map(Math.fround)),
  tokens: Number(headers['x-amzn-bedrock-input-token-count']),
});

const noAnswer = (): never => {
  throw new Error('The line has no answer.');
};

/** Of other models than Claude the tokens are estimated, without a call. */
export const isBedrock = ({ provider, style, request }: CorpusLine): boolean =>
  provider === 'bedrock' && (style !== 'bedrock-count-tokens' || request.path.includes('anthropic.'));

const linesOf = (file: string, style: string): readonly BedrockLine[] =>
  readBedrockLines(file).filter((line) => isBedrock(line) && line.style === style);

export const runBedrockEmbeddings = (file: string): Promise<readonly Tally[]> =>
  runOperation(file, linesOf(file, 'embeddings'), embedding, readVectors);

export const runBedrockCounts = (file: string): Promise<readonly Tally[]> =>
  runOperation(file, linesOf(file, 'bedrock-count-tokens'), counting, ({ response }) =>
    Number(response.body?.['inputTokens']),
  );

const operations = {
  'bedrock-converse': generation,
  'bedrock-invoke': generation,
  'bedrock-count-tokens': counting,
} as const;

/** Recorded errors of Bedrock: each reaches the SDK of every client as its own class. */
export const runBedrockErrors = async (file: string): Promise<readonly Tally[]> => {
  const tallies: Tally[] = [];
  for (const [style, operation] of Object.entries(operations)) {
    const lines = linesOf(file, style);
    if (lines.length === 0) continue;
    // The compiler cannot see that the wires of an operation are those of its clients.
    tallies.push(...(await runOperation(file, lines, operation as CorpusOperation<string, unknown>, noAnswer)));
  }
  return tallies;
};
