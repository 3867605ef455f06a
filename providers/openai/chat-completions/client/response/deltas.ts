import {
  countCodePoints,
  sealProof,
  type Finish,
  type GenerateEvent,
  type JsonObject,
  type Media,
  type WriteContext,
  type WriteFrame,
} from '../../../../../core/index.ts';
import { writeAnnotations } from '../../annotations.ts';
import { isLegacy } from '../../legacy-functions.ts';
import { writeMediaUrl } from '../../media.ts';
import { writeDetail } from '../../reasoning-details.ts';
import { writeCallProof } from './response.ts';

type Start = Extract<GenerateEvent, { type: 'part-start' }>;
type Delta = Extract<GenerateEvent, { type: 'part-delta' }>;
type End = Extract<GenerateEvent, { type: 'part-end' }>;
type Kind = Start['kind'];

/** A part that is being written. `index` counts calls, or stretches of reasoning, from 0 without gaps. */
interface OpenPart {
  readonly start: Start;
  readonly index: number;
  /** Code points of the content before this part, for citations. */
  readonly from: number;
  empty: boolean;
}

/** The deltas of one choice. */
export interface DeltaWriter {
  start(event: Start, write: WriteFrame): void;
  delta(event: Delta, write: WriteFrame): void;
  end(event: End, write: WriteFrame): void;
  /** What the vendor says of a refusal, where the model said nothing itself. */
  explain(finish: Finish, write: WriteFrame): void;
}
type Send = (delta: JsonObject, write: WriteFrame) => void;

const callHead = ({ call }: Start, index: number): JsonObject => {
  const { id = '', name = '', kind = 'function' } = call ?? {};
  return kind === 'custom'
    ? { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] }
    : { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
};
/** A fragment of a call has its arguments, empty ones too, whatever else it brings: some clients read them unasked. */
const callInput = ({ call }: Start, index: number, text: string, others: JsonObject = {}): JsonObject =>
  call?.kind === 'custom'
    ? { tool_calls: [{ index, custom: { input: text }, ...others }] }
    : { tool_calls: [{ index, function: { arguments: text }, ...others }] };

export function createDeltaWriter(choice: number, send: Send, { request, lose }: WriteContext): DeltaWriter {
  const legacy = isLegacy(request);
  const hidden = request.reasoning?.show === false;
  const open = new Map<number, OpenPart>();
  const counts: Partial<Record<Kind, number>> = {};
  let written = 0;
  let refused = false;

  const writeInput = ({ start, index }: OpenPart, text: string, write: WriteFrame) =>
    send(legacy ? { function_call: { arguments: text } } : callInput(start, index, text), write);

  const starts: Partial<Record<Kind, (event: Start, index: number, write: WriteFrame) => void>> = {
    'tool-call': (event, index, write) => {
      if (!legacy) send(callHead(event, index), write);
      else if (index === 0) send({ function_call: { name: event.call?.name ?? '', arguments: '' } }, write);
      else
        lose(
          `choices[${choice}].delta.function_call`,
          'dropped',
          'function_call holds one call; the others have no place',
        );
    },
    media: ({ value }, index, write) => {
      const media = value as Media;
      const url = media.mediaType.startsWith('image/') ? writeMediaUrl(media) : undefined;
      if (url === undefined)
        lose(`choices[${choice}].delta.images`, 'dropped', 'only images can be shown in an answer');
      else send({ images: [{ index, type: 'image_url', image_url: { url } }] }, write);
    },
    opaque: () => lose(`choices[${choice}].delta`, 'dropped', 'a block that only another wire knows'),
  };
  const deltas: Partial<Record<Kind, (part: OpenPart, text: string, write: WriteFrame) => void>> = {
    text: (_part, text, write) => {
      written += countCodePoints(text);
      send({ content: text }, write);
    },
    refusal: (_part, text, write) => {
      refused = true;
      send({ refusal: text }, write);
    },
    reasoning: ({ index }, text, write) => {
      if (!hidden)
        send({ reasoning_content: text, reasoning_details: [writeDetail(index, { text }, sealProof)] }, write);
    },
    'tool-call': (part, text, write) => {
      if (!legacy || part.index === 0) writeInput(part, text, write);
    },
  };
  const ends: Partial<Record<Kind, (part: OpenPart, event: End, write: WriteFrame) => void>> = {
    text: ({ from }, { citations = [], proof }, write) => {
      if (proof !== undefined && !hidden)
        lose(`choices[${choice}].delta.content`, 'dropped', 'the signature of a text has no place here');
      const lost = () =>
        lose(`choices[${choice}].delta.annotations`, 'dropped', 'a citation without an address has no place here');
      const annotations = writeAnnotations(citations, { from, to: written }, lost);
      if (annotations.length > 0) send({ annotations }, write);
    },
    reasoning: ({ index, start }, { proof }, write) => {
      if (proof === undefined || hidden) return;
      send({ reasoning_details: [writeDetail(index, { redacted: start.redacted === true, proof }, sealProof)] }, write);
    },
    'tool-call': (part, { proof }, write) => {
      if (part.empty && part.start.call?.kind !== 'custom' && (!legacy || part.index === 0))
        writeInput(part, '{}', write);
      if (proof !== undefined && !legacy) send(callInput(part.start, part.index, '', writeCallProof(proof)), write);
    },
  };

  return {
    start: (event, write) => {
      const index = counts[event.kind] ?? 0;
      counts[event.kind] = index + 1;
      open.set(event.part, { start: { ...event, value: undefined }, index, from: written, empty: true });
      starts[event.kind]?.(event, index, write);
    },
    delta: (event, write) => {
      const part = open.get(event.part);
      if (part === undefined || event.text === '') return;
      part.empty = false;
      deltas[part.start.kind]?.(part, event.text, write);
    },
    end: (event, write) => {
      const part = open.get(event.part);
      if (part !== undefined) ends[part.start.kind]?.(part, event, write);
    },
    explain: ({ explanation = '' }, write) => {
      if (!refused && explanation !== '') send({ refusal: explanation }, write);
    },
  };
}
