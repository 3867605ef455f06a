import type { Citation, Finish, JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  type ChoiceWriter,
  createBufferLimit,
  isObject,
  type Lose,
  type PartWriter,
  type Proof,
  type ReadContext,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { isMappedToStop, readFinish, readFinishReason } from '../../finish.ts';
import { readLogprobs } from '../../logprobs.ts';
import { WIRE } from '../../shape.ts';
import { readSearch } from '../../web-search.ts';
import { CallReader } from './call-reader.ts';
import { readCitations } from './citations.ts';

/** The kinds of parts that are read, by the member that holds their data. */
type ReadKind = 'text' | 'functionCall' | 'inlineData';

const partMembers: ReadonlySet<string> = new Set(['thought', 'thoughtSignature']);
/** The members of the data that are read. */
const dataMembers: Readonly<Record<DataKind, readonly string[]>> = {
  functionCall: ['id', 'name', 'args', 'partialArgs', 'willContinue'],
  inlineData: ['mimeType', 'data'],
};
type DataKind = Exclude<ReadKind, 'text'>;

const isLost = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * Names the members of a part that the canonical form cannot hold (`partMetadata`, `videoMetadata`). They have no
 * index: a stream has other parts than a plain response.
 * @param path of the content
 */
function loseUnread(kind: ReadKind, part: JsonObject, path: string, lose: Lose): void {
  for (const [name, value] of Object.entries(part))
    if (name !== kind && !partMembers.has(name) && isLost(value))
      lose(`${path}.${name}`, 'dropped', 'the canonical form has no such member of a part');
  if (kind === 'text') return;
  for (const [name, value] of Object.entries(readObject(part[kind])))
    if (!dataMembers[kind].includes(name) && isLost(value))
      lose(`${path}.${kind}.${name}`, 'dropped', 'the canonical form has no such member of a part');
}

/** A citation that arrived after its text had ended. */
export interface LateCitation {
  /** The handle of the part. */
  readonly part: number;
  readonly citation: Citation;
}

/** Members that are read. */
const knownMembers: ReadonlySet<string> = new Set(['content', 'finishReason', 'index', 'logprobsResult']);

/**
 * Keeps the members that are not read; the last value of each in a stream.
 * @param keep counts what is buffered
 */
export function keepUnread(
  chunk: JsonObject,
  read: ReadonlySet<string>,
  extra: JsonObject,
  keep: (chars: number) => void,
): void {
  for (const name of Object.keys(chunk)) {
    if (read.has(name) || name === '__proto__' || chunk[name] === null) continue;
    if (!Object.hasOwn(extra, name)) keep(BUFFERED_ENTRY_COST + name.length);
    extra[name] = chunk[name];
  }
}

/** Text, reasoning, or a signature alone. */
const isText = (part: JsonObject): boolean =>
  typeof part['text'] === 'string' ||
  Object.keys(part).every((name) => name === 'thoughtSignature' || name === 'thought');

/** Reads one candidate, chunk by chunk. A plain response is one chunk. */
export class CandidateReader {
  readonly #choice: number;
  readonly #context: ReadContext;
  readonly #answer: ChoiceWriter;
  readonly #calls: CallReader;
  readonly #keep = createBufferLimit();
  /** The texts so far: citations count characters in them. */
  readonly #texts: { readonly part: PartWriter; text: string }[] = [];
  readonly #extra: JsonObject = {};
  #finishReason = '';
  #finishMessage: unknown;

  constructor(context: ReadContext, choice: number, answer: ChoiceWriter) {
    this.#choice = choice;
    this.#context = context;
    this.#answer = answer;
    this.#calls = new CallReader({ answer, choice, turn: context.turn, keep: this.#keep });
  }

  /** A finish reason was received. Content can still follow: some models send the reason with every chunk. */
  get finished(): boolean {
    return this.#finishReason !== '';
  }

  /** Content or a finish reason was received. */
  get produced(): boolean {
    return this.#answer.count > 0 || this.finished;
  }

  /** The members of the candidate that the canonical form cannot hold. */
  get extra(): Readonly<JsonObject> {
    const { finishMessage, ...others } = this.#extra;
    return finishMessage === undefined || this.#readFinish().explanation !== undefined ? others : this.#extra;
  }

  /** @param candidate the next chunk of this candidate */
  read(candidate: JsonObject): void {
    this.#answer.logprobs(readLogprobs(readObject(candidate['logprobsResult'])));
    for (const part of readObjects(readObject(candidate['content'])['parts'])) this.#readPart(part);
    this.#finishReason = readFinishReason(candidate['finishReason']) || this.#finishReason;
    this.#finishMessage = candidate['finishMessage'] ?? this.#finishMessage;
    keepUnread(candidate, knownMembers, this.#extra, this.#keep);
  }

  /** Ends what is open, then the choice. Returns the citations of texts that had already ended. */
  end(): readonly LateCitation[] {
    const placed = this.#placeCitations();
    const { current } = this.#answer;
    for (const { part, citation } of placed) if (part !== undefined && part === current) part.cite([citation]);
    this.#calls.close();
    const search = readSearch(this.#extra);
    if (search !== undefined) this.#answer.opaque(search);
    if (isMappedToStop(this.#finishReason))
      this.#context.lose(
        `candidates[${this.#choice}].finishReason`,
        'approximated',
        `'${this.#finishReason}' is an ordinary end on other wires`,
      );
    this.#answer.finish(this.#readFinish());
    return placed
      .filter(({ part }) => part === undefined || part !== current)
      .map(({ part, citation }) => ({ part: part?.number ?? -1, citation }));
  }

  #readFinish(): Finish {
    return readFinish(this.#finishReason, { calls: this.#answer.calls > 0 }, this.#finishMessage);
  }

  #placeCitations(): readonly { readonly part: PartWriter | undefined; readonly citation: Citation }[] {
    const texts = this.#texts.map(({ text }) => text);
    return readCitations(this.#extra, texts).map(({ text, citation }) => ({ part: this.#texts[text]?.part, citation }));
  }

  #readPart(part: JsonObject): void {
    const proof = this.#readProof(part);
    if (isText(part)) {
      this.#loseUnread('text', part);
      return this.#readText(part, proof);
    }
    if (isObject(part['functionCall'])) {
      this.#loseUnread('functionCall', part);
      return this.#calls.read(part['functionCall'], proof);
    }
    this.#calls.close();
    if (isObject(part['inlineData']) && part['thought'] !== true) {
      this.#loseUnread('inlineData', part);
      return this.#readMedia(part['inlineData'], proof);
    }
    this.#answer.opaque({ type: 'opaque', wire: WIRE, value: part });
  }

  #loseUnread(kind: ReadKind, part: JsonObject): void {
    loseUnread(kind, part, `candidates[${this.#choice}].content`, this.#context.lose);
  }

  #readProof({ thoughtSignature: value }: JsonObject): Proof | undefined {
    return typeof value === 'string' && value !== '' ? { origin: this.#context.origin, value } : undefined;
  }

  #readText(part: JsonObject, proof: Proof | undefined): void {
    const text = readText(part['text']);
    if (text === '' && proof === undefined) return;
    this.#calls.close();
    const open = this.#continue(part['thought'] === true ? 'reasoning' : 'text');
    open.write(text);
    if (open.kind === 'text') this.#keepText(text);
    if (proof !== undefined) open.proof = proof;
  }

  #keepText(text: string): void {
    const last = this.#texts.at(-1);
    if (last === undefined) return;
    this.#keep(text.length);
    last.text += text;
  }

  /** Text of the same kind continues, unless a signature ended it. */
  #continue(kind: 'text' | 'reasoning'): PartWriter {
    const { current } = this.#answer;
    if (current?.kind === kind && current.proof === undefined) return current;
    this.#answer.close();
    const opened = this.#answer.continue(kind);
    if (kind === 'text') this.#texts.push({ part: opened, text: '' });
    return opened;
  }

  #readMedia({ mimeType, data }: Readonly<JsonObject>, proof: Proof | undefined): void {
    if (proof !== undefined)
      this.#context.lose(
        `candidates[${this.#choice}].content.thoughtSignature`,
        'dropped',
        'the canonical form has no signature on media',
      );
    this.#answer.media({ mediaType: readText(mimeType) || 'application/octet-stream', base64: readText(data) });
  }
}
