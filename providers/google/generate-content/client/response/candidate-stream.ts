import {
  createKeptLimit,
  createPartQueue,
  type CallHead,
  type Finish,
  type JsonObject,
  type Lose,
  type Media,
  type PartEvent,
  type PartKind,
} from '../../../../../core/index.ts';
import { writeFinish } from '../../finish-reason.ts';
import type { WirePart } from '../../shape.ts';
import { encodeGrounding, type CitedText } from './grounding.ts';
import { EMPTY_PARTS } from './response.ts';
import { encodeCall, encodeMedia, encodeOpaque, encodeSignature } from './written-parts.ts';

type Start = Extract<PartEvent, { type: 'part-start' }>;
type End = Extract<PartEvent, { type: 'part-end' }>;

interface OpenPart {
  delta(text: string): void;
  end(event: End): void;
}
interface Sink {
  readonly lose: Lose;
  readonly show: boolean;
  /** Counts what is kept until it is written. */
  readonly keep: (chars: number) => void;
  write(part: WirePart): void;
  /** A call is kept back until more follows, so that the last one can carry why the answer ended. */
  hold(part: WirePart): void;
  /** A text is over: what it rests on is written with the last chunk. */
  cite(text: string, end: End): void;
}

export interface CandidateStream {
  push(event: PartEvent): void;
  finish: Finish;
  /** The last chunk's share of this candidate. */
  end(): JsonObject;
}

const ignore = (): void => {};
const nothing: OpenPart = { delta: ignore, end: ignore };

const textPart = (sink: Sink): OpenPart => {
  let whole = '';
  return {
    delta: (text) => {
      sink.keep(text.length);
      whole += text;
      sink.write({ text });
    },
    end: (event) => {
      sink.cite(whole, event);
      if (event.proof !== undefined) sink.write({ text: '', ...encodeSignature(event.proof) });
    },
  };
};

const thoughtPart = (sink: Sink): OpenPart => ({
  delta: (text) => {
    if (sink.show) sink.write({ text, thought: true });
  },
  end: ({ proof }) => {
    if (proof !== undefined) sink.write({ text: '', thought: true, ...encodeSignature(proof) });
  },
});

const callPart = (sink: Sink, call: CallHead): OpenPart => {
  let input = '';
  return {
    delta: (text) => {
      sink.keep(text.length);
      input += text;
    },
    end: ({ proof }) => sink.hold(encodeCall({ ...call, input, proof }, sink.lose)),
  };
};

const wholePart = (sink: Sink, parts: readonly WirePart[]): OpenPart => {
  parts.forEach(sink.write);
  return nothing;
};

const starters: Readonly<Record<PartKind, (start: Start, sink: Sink) => OpenPart>> = {
  text: (_start, sink) => textPart(sink),
  refusal: (_start, sink) => textPart(sink),
  reasoning: (_start, sink) => thoughtPart(sink),
  'tool-call': ({ call }, sink) => (call === undefined ? nothing : callPart(sink, call)),
  media: ({ value }, sink) => wholePart(sink, [encodeMedia(value as Media)]),
  opaque: ({ value }, sink) => wholePart(sink, encodeOpaque(value, sink.lose)),
};

/** One candidate as it grows. @param write one chunk with this candidate in it */
export function createCandidateStream(
  index: number,
  write: (candidate: JsonObject) => void,
  { lose, show }: { readonly lose: Lose; readonly show: boolean },
): CandidateStream {
  const cited: CitedText[] = [];
  let textBytes = 0;
  let held: WirePart | undefined;
  let current: OpenPart = nothing;

  const compose = (parts: readonly WirePart[]): JsonObject => ({ content: { role: 'model', parts }, index });
  const flush = (): void => {
    if (held === undefined) return;
    write(compose([held]));
    held = undefined;
  };
  const sink: Sink = {
    lose,
    show,
    keep: createKeptLimit(),
    write: (part) => {
      flush();
      write(compose([part]));
    },
    hold: (part) => {
      flush();
      held = part;
    },
    cite: (text, { citations }) => {
      if (citations !== undefined) cited.push({ text, citations, partIndex: 0, offset: textBytes });
      textBytes += Buffer.byteLength(text, 'utf8');
    },
  };
  const push = createPartQueue((event) => {
    if (event.type === 'part-start') current = starters[event.kind](event, sink);
    else if (event.type === 'part-end') current.end(event);
    else if (event.text !== '') current.delta(event.text);
  });
  const stream: CandidateStream = {
    push,
    finish: { reason: 'stop' },
    end: () => ({
      ...compose(held === undefined ? EMPTY_PARTS : [held]),
      ...writeFinish(stream.finish),
      ...encodeGrounding(cited, lose),
    }),
  };
  return stream;
}
