import { KEPT_ENTRY, type JsonObject } from '../../../../../core/index.ts';
import type { Slot } from './item-reader.ts';
import type { TextEvent } from './text-events.ts';

/** What is kept of a stream: more than any has said. What comes after it is missing from the response of a failure, and nowhere else. */
const MOST_KEPT = 16 * 1_048_576;

/** What a stream has said up to now, for the response that it fails with. */
export interface PartialOutput {
  begin(item: JsonObject): void;
  say(piece: TextEvent): void;
  /** @param chars length of its JSON */
  finish(item: JsonObject, chars: number): void;
  readonly finished: readonly JsonObject[];
  /** The finished items, and what was said of the one that is open: of a call nothing, so that nobody runs half of one. */
  output(): readonly JsonObject[];
}

interface Said {
  readonly kind: Slot['kind'];
  text: string;
}
type Writers = Readonly<Partial<Record<Slot['kind'], (text: string) => JsonObject>>>;
const contents: Writers = {
  text: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
  refusal: (refusal) => ({ type: 'refusal', refusal }),
};
const summaries: Writers = { summary: (text) => ({ type: 'summary_text', text }) };
const thoughts: Writers = { reasoning: (text) => ({ type: 'reasoning_text', text }) };

const write = (said: readonly Said[], writers: Writers): readonly JsonObject[] =>
  said.flatMap(({ kind, text }): readonly JsonObject[] => {
    const writer = writers[kind];
    return writer === undefined ? [] : [writer(text)];
  });

const composeReasoning = (item: JsonObject, said: readonly Said[]): JsonObject => {
  const content = write(said, thoughts);
  return { ...item, summary: write(said, summaries), ...(content.length === 0 ? {} : { content }) };
};

/** An item that was cut short. */
const composeCut = (item: JsonObject, said: readonly Said[]): readonly JsonObject[] => {
  if (said.length === 0) return [];
  if (item['type'] === 'message') return [{ ...item, status: 'incomplete', content: write(said, contents) }];
  return item['type'] === 'reasoning' ? [composeReasoning(item, said)] : [];
};

export function createPartialOutput(): PartialOutput {
  const finished: JsonObject[] = [];
  const said = new Map<string, Said>();
  let open: JsonObject | undefined;
  let kept = 0;
  return {
    finished,
    begin: (item) => {
      open = item;
      said.clear();
    },
    say: ({ slot: { kind, index }, text, whole }) => {
      kept += whole ? 0 : text.length;
      if (kept > MOST_KEPT) return;
      const key = `${kind} ${index}`;
      const known = said.get(key);
      if (known === undefined) {
        kept += KEPT_ENTRY;
        said.set(key, { kind, text });
      } else known.text = whole ? text : known.text + text;
    },
    finish: (item, chars) => {
      kept += chars;
      if (kept <= MOST_KEPT) finished.push(item);
      open = undefined;
      said.clear();
    },
    output: () => (open === undefined ? finished : [...finished, ...composeCut(open, [...said.values()])]),
  };
}
