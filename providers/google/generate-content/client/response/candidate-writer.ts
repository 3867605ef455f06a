import type { Finish, JsonObject, Media, TokenLogprob } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  createPartQueue,
  type CallHead,
  type Lose,
  type PartEncoder,
  type PartEnd,
  type PartEvent,
  type PartKind,
  type PartStart,
  weighLogprobs,
} from '../../../../../core/api/codec.ts';
import { ReasoningCarrier } from '../../carried-reasoning.ts';
import { writeFinish } from '../../finish.ts';
import { MeanLogprob, writeLogprobs } from '../../logprobs.ts';
import type { WirePart } from '../../shape.ts';
import { encodeCitations, type CitedText } from './citations.ts';
import { encodeCall, encodeMedia, encodeOpaque, encodeSignature } from './parts.ts';
import { readQueries } from '../../web-search.ts';
import { EMPTY_PARTS } from './response.ts';

interface CandidateOptions {
  readonly index: number;
  readonly lose: Lose;
  /** Whether the client wants to see thoughts. */
  readonly show: boolean;
  /** Whether the client has asked for log probabilities. Some vendors send them without being asked. */
  readonly logprobs: boolean;
  /** Writes one chunk with this candidate in it. */
  readonly write: (candidate: JsonObject) => void;
}

/** Writes one candidate, chunk by chunk. Its parts are written in the order in which they started. */
export class CandidateWriter {
  readonly lose: Lose;
  readonly show: boolean;
  /** Counts what is buffered until it is written. */
  readonly keep = createBufferLimit();
  readonly carrier = new ReasoningCarrier();
  readonly #index: number;
  readonly #write: (candidate: JsonObject) => void;
  readonly #queue = createPartQueue((event) => this.#writePart(event));
  readonly #cited: CitedText[] = [];
  readonly #queries: string[] = [];
  readonly #showsLogprobs: boolean;
  readonly #mean = new MeanLogprob();
  /** Those of the next chunk. */
  #tokens: TokenLogprob[] = [];
  #textBytes = 0;
  #held: WirePart | undefined;
  #part = emptyPart;
  #finish: Finish = { reason: 'stop' };

  constructor({ index, lose, show, logprobs, write }: CandidateOptions) {
    this.#index = index;
    this.lose = lose;
    this.show = show;
    this.#showsLogprobs = logprobs;
    this.#write = write;
  }

  push(event: PartEvent): void {
    this.#queue(event);
  }

  setFinish(finish: Finish): void {
    this.#finish = finish;
  }

  /** This candidate in the last chunk. */
  end(): JsonObject {
    return {
      ...this.#compose(this.#held === undefined ? EMPTY_PARTS : [this.#held]),
      ...writeFinish(this.#finish),
      ...this.#mean.write(),
      ...encodeCitations(this.#cited, this.#queries, this.lose),
    };
  }

  write(part: WirePart): void {
    this.#flush();
    this.#write(this.#compose([part]));
  }

  /** Holds a call back until more follows, so that the last call can carry the finish reason. */
  hold(part: WirePart): void {
    this.#flush();
    this.#held = part;
  }

  /** Tokens of the next chunk. */
  addLogprobs(tokens: readonly TokenLogprob[]): void {
    if (!this.#showsLogprobs) return;
    this.#mean.add(tokens);
    if (this.#tokens.length > 0) this.keep(weighLogprobs(tokens));
    for (const token of tokens) this.#tokens.push(token);
  }

  /** A text has ended. Its citations are written with the last chunk. */
  cite(text: string, { citations }: PartEnd): void {
    if (citations !== undefined) this.#cited.push({ text, citations, partIndex: 0, offset: this.#textBytes });
    this.#textBytes += Buffer.byteLength(text, 'utf8');
  }

  /** What was searched for is written with the last chunk. */
  noteSearch(queries: readonly string[]): void {
    this.#queries.push(...queries);
  }

  #writePart(event: PartEvent): void {
    if (event.type === 'part-start') this.#part = starters[event.kind](event, this);
    else if (event.type === 'part-end') this.#part.end(event);
    else if (event.text !== '' || event.logprobs !== undefined) this.#part.delta(event.text, event.logprobs);
  }

  #flush(): void {
    if (this.#held === undefined) return;
    this.#write(this.#compose([this.#held]));
    this.#held = undefined;
  }

  #compose(parts: readonly WirePart[]): JsonObject {
    const logprobs = writeLogprobs(this.#tokens);
    if (this.#tokens.length > 0) this.#tokens = [];
    return { content: { role: 'model', parts }, index: this.#index, ...logprobs };
  }
}

const ignore = (): void => {};
const emptyPart: PartEncoder = { delta: ignore, end: ignore };

const startText = (writer: CandidateWriter): PartEncoder => {
  let text = '';
  return {
    delta: (piece, tokens = []) => {
      writer.addLogprobs(tokens);
      if (piece === '') return;
      writer.keep(piece.length);
      if (text === '') writer.carrier.pass(true);
      text += piece;
      writer.write({ text: piece });
    },
    end: (event) => {
      writer.cite(text, event);
      if (event.proof !== undefined) writer.write({ text: '', ...encodeSignature(event.proof) });
    },
  };
};

const startThought = (writer: CandidateWriter): PartEncoder => {
  let text = '';
  return {
    delta: (piece) => {
      writer.keep(piece.length);
      text += piece;
      if (writer.show) writer.write({ text: piece, thought: true });
    },
    end: ({ proof }) => {
      writer.carrier.add(text, proof);
      if (proof !== undefined) writer.write({ text: '', thought: true, ...encodeSignature(proof) });
    },
  };
};

const startCall = (writer: CandidateWriter, call: CallHead): PartEncoder => {
  let input = '';
  return {
    delta: (piece) => {
      writer.keep(piece.length);
      input += piece;
    },
    end: ({ proof }) => writer.hold(encodeCall({ ...call, input, proof: writer.carrier.sign(proof) }, writer.lose)),
  };
};

const writeWhole = (writer: CandidateWriter, parts: readonly WirePart[]): PartEncoder => {
  if (parts.length > 0) writer.carrier.pass(false);
  for (const part of parts) writer.write(part);
  return emptyPart;
};

const starters: Readonly<Record<PartKind, (start: PartStart, writer: CandidateWriter) => PartEncoder>> = {
  text: (_start, writer) => startText(writer),
  refusal: (_start, writer) => startText(writer),
  reasoning: (_start, writer) => startThought(writer),
  'tool-call': ({ call }, writer) => (call === undefined ? emptyPart : startCall(writer, call)),
  media: ({ value }, writer) => writeWhole(writer, [encodeMedia(value as Media)]),
  opaque: ({ value }, writer) => {
    writer.noteSearch(readQueries(value) ?? []);
    return writeWhole(writer, encodeOpaque(value, writer.lose));
  },
};
