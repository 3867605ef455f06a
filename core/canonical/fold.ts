import { omitUndefined } from './json/omit-undefined.ts';
import type { GenerateEvent, PartDelta, PartEnd, PartStart } from './event.ts';
import type { Choice, GenerateResponse } from './response.ts';
import type { Media, OpaquePart, Part, TokenLogprob } from './part.ts';
import { EventWriter } from './writer/event-writer.ts';

interface OpenPart {
  readonly start: PartStart;
  text: string;
  logprobs?: TokenLogprob[];
  end?: PartEnd;
}

const addDelta = (open: OpenPart, { text, logprobs }: PartDelta): void => {
  open.text += text;
  if (logprobs === undefined) return;
  open.logprobs ??= [];
  for (const token of logprobs) open.logprobs.push(token);
};

const closePart = ({ start, text, logprobs: tokens, end }: OpenPart): Part => {
  const proof = end?.proof === undefined ? {} : { proof: end.proof };
  const logprobs = tokens === undefined ? {} : { logprobs: tokens };
  switch (start.kind) {
    case 'text': {
      const citations = end?.citations === undefined ? {} : { citations: end.citations };
      return { type: 'text', text, ...logprobs, ...citations, ...proof };
    }
    case 'reasoning':
      return { type: 'reasoning', text, ...(start.redacted === true ? { redacted: true } : {}), ...proof };
    case 'refusal':
      return { type: 'refusal', text, ...logprobs };
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
        if (part !== undefined) addDelta(part, event);
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

/**
 * A plain response, written as a stream of the same response is: so one reader of a wire reads both.
 * @throws GatewayError what `fail` of the writer was called with
 * @example composeResponse((events) => { events.choice(0).finish({ reason: 'stop' }); events.end(); })
 */
export function composeResponse(write: (events: EventWriter) => void): GenerateResponse {
  const events: GenerateEvent[] = [];
  write(new EventWriter((event) => void events.push(event)));
  return foldEvents(events);
}
