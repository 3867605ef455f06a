import type { GenerateEvent } from '../../index.ts';

type Check = (event: never) => void;
const keyOf = ({ choice, part }: { readonly choice: number; readonly part: number }): string => `${choice}/${part}`;

/**
 * Checks a stream of canonical events: every start has its end, nothing precedes its start or follows its end, exactly
 * one terminal event ends the stream. A stream that ends in `error` can leave parts open. Returns the problems; empty
 * if there are none.
 */
export function checkEventGrammar(events: readonly GenerateEvent[]): string[] {
  const problems: string[] = [];
  const open = new Map<string, string>();
  const used = new Set<string>();
  const ended = new Set<number>();
  let started = false;
  let terminal: string | undefined;
  let at = 0;
  const problem = (text: string): void => void problems.push(`event ${at}: ${text}`);

  const handlers = {
    'response-start': () => {
      if (started) problem('a second response-start');
      started = true;
    },
    'part-start': (event: Extract<GenerateEvent, { type: 'part-start' }>) => {
      if (used.has(keyOf(event))) problem(`part ${keyOf(event)} starts again`);
      if (ended.has(event.choice)) problem(`part ${keyOf(event)} starts after its choice ended`);
      if (event.kind === 'tool-call' && !event.call?.id) problem(`tool call ${keyOf(event)} has no id`);
      if (event.kind === 'tool-call' && !event.call?.name) problem(`tool call ${keyOf(event)} has no name`);
      if ((event.kind === 'media' || event.kind === 'opaque') && event.value === undefined)
        problem(`part ${keyOf(event)} of kind ${event.kind} has no value`);
      used.add(keyOf(event));
      open.set(keyOf(event), event.kind);
    },
    'part-delta': (event: Extract<GenerateEvent, { type: 'part-delta' }>) => {
      const kind = open.get(keyOf(event));
      if (kind === undefined) problem(`delta of part ${keyOf(event)}, which is not open`);
      if (kind === 'media' || kind === 'opaque') problem(`delta of part ${keyOf(event)}, whose kind ${kind} has none`);
      if (typeof event.text !== 'string') problem(`delta of part ${keyOf(event)} without text`);
    },
    'part-end': (event: Extract<GenerateEvent, { type: 'part-end' }>) => {
      if (!open.delete(keyOf(event))) problem(`end of part ${keyOf(event)}, which is not open`);
    },
    'choice-end': (event: Extract<GenerateEvent, { type: 'choice-end' }>) => {
      if (ended.has(event.choice)) problem(`choice ${event.choice} ends again`);
      for (const key of open.keys())
        if (key.startsWith(`${event.choice}/`)) problem(`choice ${event.choice} ends while part ${key} is open`);
      ended.add(event.choice);
    },
    usage: () => undefined,
    'response-end': () => {
      for (const key of open.keys()) problem(`the response ends while part ${key} is open`);
      for (const key of used)
        if (!ended.has(Number(key.split('/')[0]))) problem(`the response ends, but the choice of part ${key} does not`);
      if (!started) problem('the response ends without a response-start');
    },
    error: () => undefined,
  } satisfies Record<GenerateEvent['type'], Check>;

  for (const event of events) {
    if (terminal !== undefined) problem(`${event.type} after ${terminal}`);
    (handlers[event.type] as (found: GenerateEvent) => void)(event);
    if (event.type === 'response-end' || event.type === 'error') terminal ??= event.type;
    else if (!started) {
      problem(`${event.type} before response-start`);
      started = true;
    }
    at++;
  }
  if (terminal === undefined) problem('the stream ends without response-end or error');
  return problems;
}
