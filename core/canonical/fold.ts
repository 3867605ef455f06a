import { omitUndefined } from './json/omit-undefined.ts';
import type { GenerateEvent, PartEnd, PartStart } from './event.ts';
import type { Choice, GenerateResponse } from './response.ts';
import type { Media, OpaquePart, Part } from './part.ts';

interface OpenPart {
  readonly start: PartStart;
  text: string;
  end?: PartEnd;
}

const closePart = ({ start, text, end }: OpenPart): Part => {
  const proof = end?.proof === undefined ? {} : { proof: end.proof };
  switch (start.kind) {
    case 'text':
      return { type: 'text', text, ...(end?.citations === undefined ? {} : { citations: end.citations }), ...proof };
    case 'reasoning':
      return { type: 'reasoning', text, ...(start.redacted === true ? { redacted: true } : {}), ...proof };
    case 'refusal':
      return { type: 'refusal', text };
    case 'tool-call':
      return {
        type: 'tool-call',
        id: start.call?.id ?? '',
        name: start.call?.name ?? '',
        kind: start.call?.kind ?? 'function',
        input: text,
        ...proof,
      };
    case 'media':
      return { type: 'media', media: start.value as Media };
    case 'opaque':
      return start.value as OpaquePart;
  }
};

/**
 * Combines the events of a stream into the equivalent plain response.
 * @throws GatewayError the error of an `error` event
 */
export function foldEvents(events: Iterable<GenerateEvent>): GenerateResponse {
  const choices = new Map<number, { parts: Map<number, OpenPart>; finish: Choice['finish'] }>();
  const choiceOf = (index: number) => {
    const known = choices.get(index);
    if (known !== undefined) return known;
    const fresh = { parts: new Map<number, OpenPart>(), finish: { reason: 'stop' } as Choice['finish'] };
    choices.set(index, fresh);
    return fresh;
  };
  let head: Pick<GenerateResponse, 'id' | 'model'> = {};
  let usage: GenerateResponse['usage'];
  for (const event of events) {
    switch (event.type) {
      case 'response-start':
        head = omitUndefined({ id: event.id, model: event.model });
        break;
      case 'part-start':
        choiceOf(event.choice).parts.set(event.part, { start: event, text: '' });
        break;
      case 'part-delta': {
        const part = choiceOf(event.choice).parts.get(event.part);
        if (part !== undefined) part.text += event.text;
        break;
      }
      case 'part-end': {
        const part = choiceOf(event.choice).parts.get(event.part);
        if (part !== undefined) part.end = event;
        break;
      }
      case 'choice-end':
        choiceOf(event.choice).finish = event.finish;
        break;
      case 'usage':
        usage = event.usage;
        break;
      case 'error':
        throw event.error;
      case 'response-end':
        break;
    }
  }
  return {
    ...head,
    choices: [...choices.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, { parts, finish }]) => ({ parts: [...parts.values()].map(closePart), finish })),
    ...(usage === undefined ? {} : { usage }),
  };
}
