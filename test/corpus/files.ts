import { compacting, wireOfCompaction } from './answers/compacting.ts';
import { counting, wireOfCount } from './answers/counting.ts';
import { isMessages } from './bedrock/lines.ts';
import { runConverse, runInvoke } from './bedrock/run.ts';
import { embedding, wireOfVectors } from './answers/embedding.ts';
import { runErrorFile, wireOfError } from './errors/errors.ts';
import { generation } from './answers/generation.ts';
import { isBedrock, runBedrockCounts, runBedrockEmbeddings, runBedrockErrors } from './bedrock/others.ts';
import { readLines, type CorpusLine } from './lines.ts';
import { isModelList, runModelLists } from './model-lists.ts';
import { runLines, type Tally } from './run.ts';
import { runUpstreamOnly, type UpstreamOnly } from './upstream-only/run.ts';
import { cohere, cohereVectors, ollama } from './upstream-only/vendors.ts';
import type { CorpusOperation } from './wire-adapter.ts';
import { isPrediction, runVertex } from './vendors/vertex.ts';
import type { GenerationWire } from './wires.ts';

/** One file of the corpus: what is run, and which lines are of vendors or endpoints without a provider. */
export interface CorpusFile {
  readonly file: string;
  readonly run: () => Promise<readonly Tally[]>;
  readonly isLeftOut: (line: CorpusLine) => boolean;
  /** Why these lines are left out. */
  readonly reason: string;
}

const NOT_YET = 'not yet';

/** All lines of a file are of one wire. */
const generationFile = (file: string, wire: GenerationWire): CorpusFile => ({
  file,
  run: () => runLines(file, readLines(file), generation, wire),
  isLeftOut: () => false,
  reason: NOT_YET,
});

/** No line of a file is run. */
const skippedFile = (file: string, reason = NOT_YET): CorpusFile => ({
  file,
  run: () => Promise.resolve([]),
  isLeftOut: () => true,
  reason,
});

/** The responses of a vendor whose wire clients do not have. */
const upstreamFile = <W extends string, A>(
  file: string,
  vendor: UpstreamOnly<A>,
  operation: CorpusOperation<W, A>,
  reason = NOT_YET,
): CorpusFile => ({
  file,
  run: () => runUpstreamOnly(file, vendor, operation),
  isLeftOut: (line) => !vendor.serves(line),
  reason,
});

/** The lines of a file are of several wires. */
const sharedFile = <W extends string, A>(
  file: string,
  operation: CorpusOperation<W, A>,
  wireOf: (line: CorpusLine) => W | undefined,
): CorpusFile => ({
  file,
  run: async () => {
    const tallies: Tally[] = [];
    for (const wire of operation.wires) {
      const lines = readLines(file).filter((line) => wireOf(line) === wire);
      if (lines.length > 0) tallies.push(...(await runLines(file, lines, operation, wire)));
    }
    return tallies;
  },
  isLeftOut: (line) => !operation.wires.some((wire) => wire === wireOf(line)),
  reason: NOT_YET,
});

/** One file with the lines of two operations. */
const join = (one: CorpusFile, other: CorpusFile): CorpusFile => ({
  ...one,
  run: async () => [...(await one.run()), ...(await other.run())],
  isLeftOut: (line) => one.isLeftOut(line) && other.isLeftOut(line),
  reason: one.reason === NOT_YET ? other.reason : one.reason,
});

/** A file whose lines of Vertex AI are also run through the provider `vertex`. */
const withVertex = (file: CorpusFile): CorpusFile => ({
  ...file,
  run: async () => [...(await file.run()), ...(await runVertex(file.file))],
  isLeftOut: (line) => file.isLeftOut(line) && !isPrediction(line),
});

const errorFile = (file: string): CorpusFile => ({
  file,
  run: () => runErrorFile(file),
  isLeftOut: (line) => wireOfError(line) === undefined,
  reason: NOT_YET,
});

/** By InvokeModel, each vendor has its own body. Claude's is that of the messages wire; the others use Converse. */
const OWN_BODIES = 'bodies of one model, which Converse serves';

const bedrockFile = (
  file: string,
  run: (file: string) => Promise<readonly Tally[]>,
  isLeftOut: CorpusFile['isLeftOut'],
): CorpusFile => ({ file, run: () => run(file), isLeftOut, reason: OWN_BODIES });

const ESTIMATED = 'tokens that the gateway estimates without a call';

/** A file with lines of Bedrock, besides those of others. */
const withBedrock = (run: (file: string) => Promise<readonly Tally[]>, one: CorpusFile): CorpusFile =>
  join(one, { file: one.file, run: () => run(one.file), isLeftOut: (line) => !isBedrock(line), reason: ESTIMATED });

/** The vendors whose chat completions have files of their own. */
const chatVendors = ['openai', 'compat', 'deepseek', 'groq', 'mistral', 'openrouter', 'xai'];
/** A file of plain responses, and one of streams. */
const both = (name: string): readonly string[] => [`${name}.jsonl`, `${name}-stream.jsonl`];
const NO_SUCH_WIRE = 'not a wire of the gateway';

/** Every file of the corpus. */
export const corpusFiles: readonly CorpusFile[] = [
  ...chatVendors.flatMap((vendor) => both(`${vendor}-chat`)).map((file) => generationFile(file, 'chat-completions')),
  ...both('anthropic-messages').map((file) => withVertex(generationFile(file, 'messages'))),
  ...['openai-responses', 'compat-responses'].flatMap(both).map((file) => generationFile(file, 'responses')),
  ...['gemini-generate.jsonl', 'gemini-stream.jsonl'].map((file) =>
    withVertex(generationFile(file, 'generate-content')),
  ),
  generationFile('interactions.jsonl', 'interactions'),
  withBedrock(
    runBedrockEmbeddings,
    withVertex(
      join(
        sharedFile('embeddings.jsonl', embedding, wireOfVectors),
        upstreamFile('embeddings.jsonl', cohereVectors, embedding, '/api/embeddings, which /api/embed has replaced'),
      ),
    ),
  ),
  withBedrock(
    runBedrockCounts,
    withVertex(
      join(
        sharedFile('count-tokens.jsonl', counting, wireOfCount),
        sharedFile('count-tokens.jsonl', compacting, wireOfCompaction),
      ),
    ),
  ),
  {
    file: 'models.jsonl',
    run: () => runModelLists('models.jsonl'),
    isLeftOut: (line) => !isModelList(line),
    reason: 'operations of videos, and routes of one model: not a list',
  },
  withBedrock(
    runBedrockErrors,
    join(
      join(errorFile('errors.jsonl'), upstreamFile('errors.jsonl', cohere, generation)),
      upstreamFile('errors.jsonl', ollama, generation),
    ),
  ),
  withBedrock(
    runBedrockErrors,
    join(errorFile('errors-reported.jsonl'), upstreamFile('errors-reported.jsonl', ollama, generation)),
  ),
  ...both('cohere-chat').map((file) => upstreamFile(file, cohere, generation, 'v1, which v2 has replaced')),
  ...both('ollama-chat').map((file) => upstreamFile(file, ollama, generation, '/api/generate, which has no messages')),
  ...both('bedrock-converse').map((file) => bedrockFile(file, runConverse, () => false)),
  ...both('bedrock-invoke').map((file) => bedrockFile(file, runInvoke, (line) => !isMessages(line))),
  ...both('openai-completions').map((file) => skippedFile(file, NO_SUCH_WIRE)),
];

/** The lines that are left out of a file, by vendor and style. */
export const describeLeftOut = ({ file, isLeftOut }: CorpusFile): string => {
  const counts = new Map<string, number>();
  for (const line of readLines(file).filter(isLeftOut))
    counts.set(`${line.provider} ${line.style}`, (counts.get(`${line.provider} ${line.style}`) ?? 0) + 1);
  return [...counts].map(([name, number]) => `${name} ${number}`).join(', ');
};
