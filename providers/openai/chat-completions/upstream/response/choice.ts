import {
  type Citation,
  createKeptLimit,
  type EmitEvent,
  type GatewayError,
  type GenerateEvent,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  omitUndefined,
  type Proof,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/index.ts';
import { readAnnotations } from '../../annotations.ts';
import { readFailedEnd, readFinish } from '../../finish-reason.ts';
import { readDetails, type ReasoningDetail } from '../../reasoning-details.ts';

import { createCallReader } from './calls.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { readContent, readImages } from './message.ts';

type Start = Extract<GenerateEvent, { type: 'part-start' }>;
type StartOf = Pick<Start, 'kind' | 'redacted' | 'value'>;

/** Text, refusal or reasoning that is being read: one at a time. */
interface OpenPart {
  readonly key: string;
  readonly part: number;
  /** The first half of a character that was cut in two: half a pair is never sent on. */
  held: string;
  proof?: Proof;
  citations?: Citation[];
}

/** Reads one choice of a stream. */
export interface ChoiceReader {
  /** The next chunk's share. Returns an error when the vendor says that the answer failed. */
  read(choice: JsonObject, emit: EmitEvent): GatewayError | undefined;
  /** Ends the choice if it has not ended. */
  finish(word: string, emit: EmitEvent): void;
  readonly finished: boolean;
  /** Anything was said, or an end was named. */
  readonly produced: boolean;
}

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
};

/** A delta's members in the order in which a model speaks, whatever their order in the chunk. */
export function createChoiceReader(choice: number, context: ReadContext): ChoiceReader {
  let parts = 0;
  let open: OpenPart | undefined;
  let refused = false;
  let finished = false;
  const keep = createKeptLimit();
  const stamp = (value: string): Proof => ({ origin: context.origin, value });
  const calls = createCallReader(choice, context, () => parts++);

  const close = (emit: EmitEvent) => {
    if (open === undefined) return;
    const { part, held, proof, citations } = open;
    open = undefined;
    if (held !== '') emit({ type: 'part-delta', choice, part, text: held });
    emit(
      omitUndefined({
        type: 'part-end',
        choice,
        part,
        proof,
        citations,
      }),
    );
  };
  const openPart = (key: string, start: StartOf, emit: EmitEvent): OpenPart => {
    if (open?.key === key) return open;
    close(emit);
    open = { key, part: parts++, held: '' };
    emit({ type: 'part-start', choice, part: open.part, ...start });
    return open;
  };
  const write = (key: string, start: StartOf, text: string, emit: EmitEvent) => {
    if (text === '') return;
    const target = openPart(key, start, emit);
    const whole = target.held + text;
    const cut = endsInHalf(whole) ? whole.length - 1 : whole.length;
    target.held = whole.slice(cut);
    if (cut > 0)
      emit({ type: 'part-delta', choice, part: target.part, text: cut === whole.length ? whole : whole.slice(0, cut) });
  };
  const writeWhole = (start: StartOf, proof: Proof | undefined, emit: EmitEvent) => {
    close(emit);
    const part = parts++;
    emit({ type: 'part-start', choice, part, ...start });
    emit(omitUndefined({ type: 'part-end', choice, part, proof }));
  };

  const readDetail = ({ key, text, redacted, blob }: ReasoningDetail, emit: EmitEvent) => {
    if (redacted) {
      if (blob !== '') writeWhole({ kind: 'reasoning', redacted }, { ...stamp(blob), redacted: true }, emit);
      return;
    }
    write(key, { kind: 'reasoning' }, text, emit);
    if (blob !== '') openPart(key, { kind: 'reasoning' }, emit).proof = stamp(blob);
  };
  /** The details say more than the text beside them, which repeats theirs. */
  const readReasoning = (delta: Readonly<JsonObject>, emit: EmitEvent) => {
    const details = readDetails(delta['reasoning_details']);
    if (!details.some(({ text }) => text !== ''))
      write(
        'reasoning',
        { kind: 'reasoning' },
        readText(delta['reasoning_content']) || readText(delta['reasoning']),
        emit,
      );
    for (const detail of details) readDetail(detail, emit);
  };
  const readBlocks = (content: readonly unknown[], emit: EmitEvent) => {
    for (const part of readContent(content, stamp)) {
      if (part.type === 'text') write('text', { kind: 'text' }, part.text, emit);
      else if (part.type === 'reasoning') {
        write('reasoning', { kind: 'reasoning' }, part.text, emit);
        if (part.proof !== undefined) openPart('reasoning', { kind: 'reasoning' }, emit).proof = part.proof;
      } else writeWhole({ kind: 'opaque', value: part }, undefined, emit);
    }
  };
  const readRefusal = (text: string, emit: EmitEvent) => {
    refused ||= text !== '';
    write('refusal', { kind: 'refusal' }, text, emit);
  };
  const readCitations = (citations: readonly Citation[], emit: EmitEvent) => {
    if (citations.length === 0) return;
    const target = openPart('text', { kind: 'text' }, emit);
    keep(citations.length * KEPT_ENTRY);
    target.citations ??= [];
    target.citations.push(...citations);
  };
  const readDelta = (delta: Readonly<JsonObject>, emit: EmitEvent) => {
    readReasoning(delta, emit);
    if (typeof delta['content'] === 'string') write('text', { kind: 'text' }, delta['content'], emit);
    else readBlocks(readList(delta['content']), emit);
    readRefusal(readText(delta['refusal']), emit);
    readCitations(readAnnotations(delta['annotations']), emit);
    for (const image of readImages(delta['images']))
      if (image.type === 'media') writeWhole({ kind: 'media', value: image.media }, undefined, emit);
    if (isObject(delta['audio']))
      context.lose(`choices[${choice}].delta.audio`, 'dropped', 'streamed audio has no canonical form');
    calls.read(delta, () => close(emit), emit);
  };

  const reader = {
    get finished() {
      return finished;
    },
    get produced() {
      return finished || parts > 0;
    },
    finish: (word: string, emit: EmitEvent) => {
      if (finished) return;
      finished = true;
      close(emit);
      calls.close(emit);
      emit({ type: 'choice-end', choice, finish: readFinish(word, { calls: calls.count > 0, refusal: refused }) });
    },
    read: (value: JsonObject, emit: EmitEvent) => {
      const word = readText(value['finish_reason']);
      if (holdsError(value)) return decodeEmbeddedError(value);
      if (finished) return undefined;
      readDelta(readObject(value['delta']), emit);
      const failure = readFailedEnd(word);
      if (failure !== undefined) return failure;
      if (value['logprobs'] !== null && isObject(value['logprobs']))
        context.lose(
          `choices[${choice}].logprobs`,
          'dropped',
          'log probabilities are not carried in translated streams',
        );
      if (word !== '') reader.finish(word, emit);
      return undefined;
    },
  };
  return reader;
}
