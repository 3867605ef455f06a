import {
  type Citation,
  createKeptLimit,
  type EmitEvent,
  type GenerateEvent,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  type Media,
  type PartKind,
  type Proof,
  type ReadContext,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/index.ts';
import { isFlattened, readFinish, readFinishWord } from '../../finish-reason.ts';
import { WIRE } from '../../shape.ts';
import { createCallReader } from './calls.ts';
import { readCitations } from './citations.ts';

type Start = Pick<Extract<GenerateEvent, { type: 'part-start' }>, 'kind' | 'value'>;

/** Text or reasoning that is being read: one at a time. */
interface OpenPart {
  readonly kind: 'text' | 'reasoning';
  readonly part: number;
  /** The first half of a character that was cut in two: half a pair is never sent on. */
  held: string;
  proof?: Proof;
}

/** Citations that came when their text was over, by the handle of its part. */
export interface LateCitation {
  readonly part: number;
  readonly citation: Citation;
}

export interface CandidateReader {
  /** The next chunk's share. */
  read(candidate: JsonObject, emit: EmitEvent): void;
  /** Closes what is open and ends the choice. */
  end(emit: EmitEvent): readonly LateCitation[];
  /** A reason was given; content may still follow, as some models give it with every chunk. */
  readonly finished: boolean;
  /** Any content was seen, or a reason for its end. */
  readonly produced: boolean;
  /** The members of the candidate that have no canonical word. */
  readonly extra: Readonly<JsonObject>;
}

/** Read from `content`, or written anew by who writes the answer again. */
const known: ReadonlySet<string> = new Set(['content', 'finishReason', 'index']);

/** Words, or nothing but a signature. */
const isWords = (part: JsonObject): boolean =>
  typeof part['text'] === 'string' ||
  Object.keys(part).every((name) => name === 'thoughtSignature' || name === 'thought');

const endsInHalf = (text: string): boolean => /[\uD800-\uDBFF]$/.test(text);

/** One candidate, from all of its chunks. A plain answer is one chunk. */
export function createCandidateReader(choice: number, context: ReadContext): CandidateReader {
  const texts: { readonly part: number; text: string }[] = [];
  let parts = 0;
  let open: OpenPart | undefined;
  let word = '';
  const extra: JsonObject = {};
  const keep = createKeptLimit();
  let message: unknown;
  const allocate = (): number => parts++;
  const calls = createCallReader(choice, context, allocate, keep);
  const proofOf = ({ thoughtSignature: value }: JsonObject): Proof | undefined =>
    typeof value === 'string' && value !== '' ? { origin: context.origin, value } : undefined;

  const describeFinish = () => readFinish(word, { calls: calls.count > 0 }, message);
  const close = (emit: EmitEvent, citations: readonly Citation[] = []): void => {
    if (open === undefined) return;
    const { part, held, proof } = open;
    open = undefined;
    if (held !== '') emit({ type: 'part-delta', choice, part, text: held });
    emit({
      type: 'part-end',
      choice,
      part,
      ...(proof === undefined ? {} : { proof }),
      ...(citations.length === 0 ? {} : { citations }),
    });
  };
  /** A signature ends its text: what follows is another part. */
  const openPart = (kind: OpenPart['kind'], emit: EmitEvent): OpenPart => {
    if (open?.kind === kind && open.proof === undefined) return open;
    close(emit);
    const opened: OpenPart = { kind, part: allocate(), held: '' };
    if (kind === 'text') texts.push({ part: opened.part, text: '' });
    emit({ type: 'part-start', choice, part: opened.part, kind });
    open = opened;
    return opened;
  };
  const readWords = (kind: OpenPart['kind'], text: string, proof: Proof | undefined, emit: EmitEvent): void => {
    if (text === '' && proof === undefined) return;
    calls.close(emit);
    const target = openPart(kind, emit);
    const last = texts.at(-1);
    if (kind === 'text' && last !== undefined) {
      keep(text.length);
      last.text += text;
    }
    const whole = target.held + text;
    const cut = endsInHalf(whole) ? whole.length - 1 : whole.length;
    target.held = whole.slice(cut);
    if (cut > 0) emit({ type: 'part-delta', choice, part: target.part, text: whole.slice(0, cut) });
    if (proof !== undefined) target.proof = proof;
  };
  const readWhole = (start: Start & { readonly kind: PartKind }, emit: EmitEvent): void => {
    const part = allocate();
    emit({ type: 'part-start', choice, part, ...start });
    emit({ type: 'part-end', choice, part });
  };
  const readMedia = ({ mimeType, data }: Readonly<JsonObject>, proof: Proof | undefined, emit: EmitEvent): void => {
    if (proof !== undefined)
      context.lose(
        `candidates[${choice}].content.thoughtSignature`,
        'dropped',
        'the signature of a medium has no canonical form',
      );
    const media: Media = { mediaType: readText(mimeType) || 'application/octet-stream', base64: readText(data) };
    readWhole({ kind: 'media', value: media }, emit);
  };
  const readPart = (part: JsonObject, emit: EmitEvent): void => {
    const proof = proofOf(part);
    if (isWords(part)) {
      readWords(part['thought'] === true ? 'reasoning' : 'text', readText(part['text']), proof, emit);
      return;
    }
    close(emit);
    if (isObject(part['functionCall'])) {
      calls.read(part['functionCall'], proof, emit);
      return;
    }
    calls.close(emit);
    if (isObject(part['inlineData']) && part['thought'] !== true) readMedia(part['inlineData'], proof, emit);
    else readWhole({ kind: 'opaque', value: { type: 'opaque', wire: WIRE, value: part } }, emit);
  };

  return {
    get finished() {
      return word !== '';
    },
    get produced() {
      return parts > 0 || word !== '';
    },
    get extra() {
      const { finishMessage, ...others } = extra;
      return finishMessage === undefined || describeFinish().explanation !== undefined ? others : extra;
    },
    read: (candidate, emit) => {
      for (const part of readObjects(readObject(candidate['content'])['parts'])) readPart(part, emit);
      word = readFinishWord(candidate['finishReason']) || word;
      message = candidate['finishMessage'] ?? message;
      for (const [name, value] of Object.entries(candidate)) {
        if (known.has(name) || name === '__proto__' || value === null) continue;
        if (!Object.hasOwn(extra, name)) keep(KEPT_ENTRY + name.length);
        extra[name] = value;
      }
    },
    end: (emit) => {
      const placed = readCitations(
        extra,
        texts.map(({ text }) => text),
      ).map(({ text, citation }) => ({ part: texts[text]?.part ?? -1, citation }));
      const current = open?.part;
      close(
        emit,
        placed.filter(({ part }) => part === current).map(({ citation }) => citation),
      );
      calls.close(emit);
      if (isFlattened(word)) {
        context.lose(
          `candidates[${choice}].finishReason`,
          'approximated',
          `'${word}' is an ordinary end on other wires`,
        );
      }
      emit({ type: 'choice-end', choice, finish: describeFinish() });
      return placed.filter(({ part }) => part !== current);
    },
  };
}
