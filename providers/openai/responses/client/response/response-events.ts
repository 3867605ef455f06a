import {
  createPartQueue,
  type Finish,
  type GatewayError,
  type GenerateEvent,
  isObject,
  type JsonObject,
  type PartEvent,
  readList,
  readText,
  type Usage,
  type WriteContext,
} from '../../../../../core/index.ts';
import { describeTier } from '../../../service-tier.ts';
import { writeFinish } from '../../finish-reason.ts';

import { writeUsage } from '../../usage.ts';
import { echoSettings } from './echo.ts';
import { describeFailure } from './error.ts';
import { createItemStream } from './item-stream.ts';
import { createOutputList, type Emit, type Item } from './output-list.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;
type Handlers = { readonly [T in GenerateEvent['type']]: (event: EventOf<T>) => void };

/** The name of a model that the provider did not report. */
const UNNAMED = 'unknown';
const ID = 'resp_';

const contentsOf = (items: readonly Item[]): readonly JsonObject[] =>
  items.filter(({ type }) => type === 'message').flatMap((item) => readList(item['content']).filter(isObject));
const holdsRefusal = (items: readonly Item[]): boolean => contentsOf(items).some(({ type }) => type === 'refusal');
const textOf = (items: readonly Item[]): string =>
  contentsOf(items)
    .map(({ text }) => readText(text))
    .join('');

/**
 * One answer as the events of this wire: created, in_progress, items one after the other, and one of completed, incomplete and failed.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function createAnswer(context: WriteContext, emit: Emit): { push(event: GenerateEvent): void } {
  const settings = echoSettings(context.request);
  const output = createOutputList(emit);
  const items = createItemStream(output, context);
  const queue = createPartQueue(items.push);
  let head: { readonly id: string; readonly model: string } | undefined;
  let usage: Usage | undefined;
  let finish: Finish = { reason: 'stop' };

  const compose = (status: string, list: readonly Item[], members: JsonObject = {}): JsonObject => ({
    ...head,
    object: 'response',
    created_at: context.created,
    status,
    error: null,
    incomplete_details: null,
    ...settings,
    ...(usage?.tier === undefined ? {} : { service_tier: describeTier(usage.tier) }),
    output: list,
    usage: usage === undefined ? null : writeUsage(usage),
    ...members,
  });
  const begin = ({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string } = {}): void => {
    if (head !== undefined) return;
    head = { id: id.startsWith(ID) ? id : context.newId(ID), model };
    emit('response.created', { response: compose('in_progress', []) });
    emit('response.in_progress', { response: compose('in_progress', []) });
  };
  const shown = (): readonly Item[] => {
    const open = items.soFar();
    return open === undefined ? output.items : [...output.items, open];
  };
  const end = (): ReturnType<typeof writeFinish> => writeFinish(finish, { refusal: holdsRefusal(shown()) });
  const pass = (event: PartEvent): void => {
    if (event.choice !== 0) return;
    begin();
    queue(event);
  };
  const fail = (error: GatewayError): void => {
    const list = shown();
    emit('response.failed', {
      response: compose('failed', list, { error: describeFailure(error), output_text: textOf(list) }),
    });
  };

  const handlers: Handlers = {
    'response-start': begin,
    'part-start': pass,
    'part-delta': pass,
    'part-end': pass,
    'choice-end': (event) => {
      if (event.choice !== 0) return;
      ({ finish } = event);
      items.settle(end().status === 'incomplete' ? 'incomplete' : 'completed');
      if ((finish.explanation ?? '') === '' || holdsRefusal(output.items)) return;
      context.lose('incomplete_details', 'dropped', 'responses has no place for the sentence that explains a refusal');
    },
    usage: (event) => {
      ({ usage } = event);
    },
    'response-end': () => {
      begin();
      items.settle('completed');
      const { status, incomplete_details } = end();
      // What works on in the background has its state in the object; the stream of it is over all the same.
      const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
      emit(type, {
        response: compose(status, output.items, { incomplete_details, output_text: textOf(output.items) }),
      });
    },
    error: ({ error }) => {
      begin();
      fail(error);
    },
  };
  const handle = <T extends GenerateEvent['type']>(type: T, event: EventOf<T>): void => handlers[type](event);
  return { push: (event) => handle(event.type, event) };
}
