import type { Citation, Finish, JsonObject, Media } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  isObject,
  BUFFERED_ENTRY_COST,
  type PartStart,
  type Proof,
  type ReadContext,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { isMappedToStop, readFinish, readFinishReason } from '../../finish-reason.ts';
import { WIRE } from '../../shape.ts';
import { CallReader } from './call-reader.ts';
import { readSearch } from '../../web-search.ts';
import { readCitations } from './citations.ts';
import { loseUnread, type ReadKind } from './unread-members.ts';

type Start = Pick<PartStart, 'kind' | 'value'>;

/** The text or reasoning that is being read. At most one is open. */
interface OpenText {
  readonly kind: 'text' | 'reasoning';
  readonly part: number;
  /** The first half of a character that was cut in two. Half a surrogate pair is never emitted. */
  half: string;
  proof?: Proof;
}

/** A citation that arrived after its text had ended. */
export interface LateCitation {
  /** The handle of the part. */
  readonly part: number;
  readonly citation: Citation;
}

/** Members that are read. */
const knownMembers: ReadonlySet<string> = new Set(['content', 'finishReason', 'index']);

/** Text, reasoning, or a signature alone. */
const isText = (part: JsonObject): boolean =>
  typeof part['text'] === 'string' ||
  Object.keys(part).every((name) => name === 'thoughtSignature' || name === 'thought');

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** Reads one candidate, chunk by chunk. A plain response is one chunk. */
export class CandidateReader {
  readonly #choice: number;
  readonly #context: ReadContext;
  readonly #calls: CallReader;
  readonly #keep = createBufferLimit();
  /** The texts so far: citations count characters in them. */
  readonly #texts: { readonly part: number; text: string }[] = [];
  readonly #extra: JsonObject = {};
  #parts = 0;
  #open: OpenText | undefined;
  #finishReason = '';
  #finishMessage: unknown;

  constructor(choice: number, context: ReadContext) {
    this.#choice = choice;
    this.#context = context;
    this.#calls = new CallReader({
      choice,
      turn: context.turn,
      allocate: () => this.#allocate(),
      keep: this.#keep,
    });
  }

  /** A finish reason was received. Content can still follow: some models send the reason with every chunk. */
  get finished(): boolean {
    return this.#finishReason !== '';
  }

  /** Content or a finish reason was received. */
  get produced(): boolean {
    return this.#parts > 0 || this.finished;
  }

  /** The members of the candidate that the canonical form cannot hold. */
  get extra(): Readonly<JsonObject> {
    const { finishMessage, ...others } = this.#extra;
    return finishMessage === undefined || this.#readFinish().explanation !== undefined ? others : this.#extra;
  }

  /** @param candidate the next chunk of this candidate */
  read(candidate: JsonObject, emit: EmitEvent): void {
    for (const part of readObjects(readObject(candidate['content'])['parts'])) this.#readPart(part, emit);
    this.#finishReason = readFinishReason(candidate['finishReason']) || this.#finishReason;
    this.#finishMessage = candidate['finishMessage'] ?? this.#finishMessage;
    for (const [name, value] of Object.entries(candidate)) {
      if (knownMembers.has(name) || name === '__proto__' || value === null) continue;
      if (!Object.hasOwn(this.#extra, name)) this.#keep(BUFFERED_ENTRY_COST + name.length);
      this.#extra[name] = value;
    }
  }

  /** Ends what is open, then the choice. Returns the citations of texts that had already ended. */
  end(emit: EmitEvent): readonly LateCitation[] {
    const placed = this.#placeCitations();
    const current = this.#open?.part;
    this.#endText(
      emit,
      placed.filter(({ part }) => part === current).map(({ citation }) => citation),
    );
    this.#calls.close(emit);
    const search = readSearch(this.#extra);
    if (search !== undefined) this.#emitWhole({ kind: 'opaque', value: search }, emit);
    if (isMappedToStop(this.#finishReason))
      this.#context.lose(
        `candidates[${this.#choice}].finishReason`,
        'approximated',
        `'${this.#finishReason}' is an ordinary end on other wires`,
      );
    emit({ type: 'choice-end', choice: this.#choice, finish: this.#readFinish() });
    return placed.filter(({ part }) => part !== current);
  }

  #allocate(): number {
    const part = this.#parts;
    this.#parts += 1;
    return part;
  }

  #readFinish(): Finish {
    return readFinish(this.#finishReason, { calls: this.#calls.count > 0 }, this.#finishMessage);
  }

  #placeCitations(): readonly LateCitation[] {
    const texts = this.#texts.map(({ text }) => text);
    return readCitations(this.#extra, texts).map(({ text, citation }) => ({
      part: this.#texts[text]?.part ?? -1,
      citation,
    }));
  }

  #readPart(part: JsonObject, emit: EmitEvent): void {
    const proof = this.#readProof(part);
    if (isText(part)) {
      this.#loseUnread('text', part);
      return this.#readText(part, proof, emit);
    }
    this.#endText(emit);
    if (isObject(part['functionCall'])) {
      this.#loseUnread('functionCall', part);
      return this.#calls.read(part['functionCall'], proof, emit);
    }
    this.#calls.close(emit);
    if (isObject(part['inlineData']) && part['thought'] !== true) {
      this.#loseUnread('inlineData', part);
      return this.#readMedia(part['inlineData'], proof, emit);
    }
    this.#emitWhole({ kind: 'opaque', value: { type: 'opaque', wire: WIRE, value: part } }, emit);
  }

  #loseUnread(kind: ReadKind, part: JsonObject): void {
    loseUnread(kind, part, `candidates[${this.#choice}].content`, this.#context.lose);
  }

  #readProof({ thoughtSignature: value }: JsonObject): Proof | undefined {
    return typeof value === 'string' && value !== '' ? { origin: this.#context.origin, value } : undefined;
  }

  #readText(part: JsonObject, proof: Proof | undefined, emit: EmitEvent): void {
    const text = readText(part['text']);
    if (text === '' && proof === undefined) return;
    this.#calls.close(emit);
    const open = this.#openText(part['thought'] === true ? 'reasoning' : 'text', emit);
    if (open.kind === 'text') this.#keepText(text);
    const whole = open.half + text;
    const cut = HIGH_SURROGATE_AT_END.test(whole) ? whole.length - 1 : whole.length;
    open.half = whole.slice(cut);
    if (cut > 0) emit({ type: 'part-delta', choice: this.#choice, part: open.part, text: whole.slice(0, cut) });
    if (proof !== undefined) open.proof = proof;
  }

  #keepText(text: string): void {
    const last = this.#texts.at(-1);
    if (last === undefined) return;
    this.#keep(text.length);
    last.text += text;
  }

  /** Text of the same kind continues, unless a signature ended it. */
  #openText(kind: OpenText['kind'], emit: EmitEvent): OpenText {
    if (this.#open?.kind === kind && this.#open.proof === undefined) return this.#open;
    this.#endText(emit);
    const opened: OpenText = { kind, part: this.#allocate(), half: '' };
    if (kind === 'text') this.#texts.push({ part: opened.part, text: '' });
    emit({ type: 'part-start', choice: this.#choice, part: opened.part, kind });
    this.#open = opened;
    return opened;
  }

  #endText(emit: EmitEvent, citations: readonly Citation[] = []): void {
    if (this.#open === undefined) return;
    const { part, half, proof } = this.#open;
    this.#open = undefined;
    if (half !== '') emit({ type: 'part-delta', choice: this.#choice, part, text: half });
    emit({
      type: 'part-end',
      choice: this.#choice,
      part,
      ...(proof === undefined ? {} : { proof }),
      ...(citations.length === 0 ? {} : { citations }),
    });
  }

  #readMedia({ mimeType, data }: Readonly<JsonObject>, proof: Proof | undefined, emit: EmitEvent): void {
    if (proof !== undefined)
      this.#context.lose(
        `candidates[${this.#choice}].content.thoughtSignature`,
        'dropped',
        'the canonical form has no signature on media',
      );
    const media: Media = { mediaType: readText(mimeType) || 'application/octet-stream', base64: readText(data) };
    this.#emitWhole({ kind: 'media', value: media }, emit);
  }

  #emitWhole(start: Start, emit: EmitEvent): void {
    const part = this.#allocate();
    emit({ type: 'part-start', choice: this.#choice, part, ...start });
    emit({ type: 'part-end', choice: this.#choice, part });
  }
}
