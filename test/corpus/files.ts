import { counting, wireOfCount } from './answers/counting.ts';
import { embedding, wireOfVectors } from './answers/embedding.ts';
import { runErrorFile, wireOfError } from './errors/errors.ts';
import { generation } from './answers/generation.ts';
import { readLines, type CorpusLine } from './lines.ts';
import { isModelList, runModelLists } from './model-lists.ts';
import { runLines, type Tally } from './run.ts';
import type { CorpusOperation } from './wire-adapter.ts';
import type { GenerationWire } from './wires.ts';

/** One file of the corpus: what is run, and which lines are of vendors or endpoints without a provider. */
export interface CorpusFile {
  readonly file: string;
  readonly run: () => Promise<readonly Tally[]>;
  readonly isLeftOut: (line: CorpusLine) => boolean;
}

/** All lines of a file are of one wire. */
const generationFile = (file: string, wire: GenerationWire): CorpusFile => ({
  file,
  run: () => runLines(file, readLines(file), generation, wire),
  isLeftOut: () => false,
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
});

const errorFile = (file: string): CorpusFile => ({
  file,
  run: () => runErrorFile(file),
  isLeftOut: (line) => wireOfError(line) === undefined,
});

export const corpusFiles: readonly CorpusFile[] = [
  generationFile('openai-chat.jsonl', 'chat-completions'),
  generationFile('openai-chat-stream.jsonl', 'chat-completions'),
  generationFile('anthropic-messages.jsonl', 'messages'),
  generationFile('anthropic-messages-stream.jsonl', 'messages'),
  generationFile('openai-responses.jsonl', 'responses'),
  generationFile('openai-responses-stream.jsonl', 'responses'),
  generationFile('gemini-generate.jsonl', 'generate-content'),
  generationFile('gemini-stream.jsonl', 'generate-content'),
  sharedFile('embeddings.jsonl', embedding, wireOfVectors),
  sharedFile('count-tokens.jsonl', counting, wireOfCount),
  { file: 'models.jsonl', run: () => runModelLists('models.jsonl'), isLeftOut: (line) => !isModelList(line) },
  errorFile('errors.jsonl'),
  errorFile('errors-reported.jsonl'),
];

/** The lines that are left out of a file, by vendor and style. */
export const describeLeftOut = ({ file, isLeftOut }: CorpusFile): string => {
  const counts = new Map<string, number>();
  for (const line of readLines(file).filter(isLeftOut))
    counts.set(`${line.provider} ${line.style}`, (counts.get(`${line.provider} ${line.style}`) ?? 0) + 1);
  return [...counts].map(([name, number]) => `${name} ${number}`).join(', ');
};
