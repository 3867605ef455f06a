import type { GenerateEvent } from '../../api/codec.ts';

const keyOf = ({ choice, part }: { readonly choice: number; readonly part: number }): string => `${choice}/${part}`;

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;

/** The state of one stream, and the problems so far. */
class GrammarCheck {
  readonly problems: string[] = [];
  /** Kinds of open parts by key. */
  readonly #open = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #endedChoices = new Set<number>();
  #started = false;
  #terminal: string | undefined;
  #index = 0;

  check(event: GenerateEvent): void {
    if (this.#terminal !== undefined) this.#problem(`${event.type} after ${this.#terminal}`);
    this.#checkEvent(event);
    if (event.type === 'response-end' || event.type === 'error') this.#terminal ??= event.type;
    else if (!this.#started) {
      this.#problem(`${event.type} before response-start`);
      this.#started = true;
    }
    this.#index++;
  }

  end(): void {
    if (this.#terminal === undefined) this.#problem('the stream ends without response-end or error');
  }

  #checkEvent(event: GenerateEvent): void {
    switch (event.type) {
      case 'response-start':
        if (this.#started) this.#problem('a second response-start');
        this.#started = true;
        return;
      case 'part-start':
        return this.#startPart(event);
      case 'part-delta':
        return this.#addDelta(event);
      case 'part-end':
        if (!this.#open.delete(keyOf(event))) this.#problem(`end of part ${keyOf(event)}, which is not open`);
        return;
      case 'choice-end':
        return this.#endChoice(event);
      case 'response-end':
        return this.#endResponse();
      default:
    }
  }

  #startPart(event: EventOf<'part-start'>): void {
    const key = keyOf(event);
    if (this.#used.has(key)) this.#problem(`part ${key} starts again`);
    if (this.#endedChoices.has(event.choice)) this.#problem(`part ${key} starts after its choice ended`);
    if (event.kind === 'tool-call' && !event.call?.id) this.#problem(`tool call ${key} has no id`);
    if (event.kind === 'tool-call' && !event.call?.name) this.#problem(`tool call ${key} has no name`);
    if ((event.kind === 'media' || event.kind === 'opaque') && event.value === undefined)
      this.#problem(`part ${key} of kind ${event.kind} has no value`);
    this.#used.add(key);
    this.#open.set(key, event.kind);
  }

  #addDelta(event: EventOf<'part-delta'>): void {
    const key = keyOf(event);
    const kind = this.#open.get(key);
    if (kind === undefined) this.#problem(`delta of part ${key}, which is not open`);
    if (kind === 'media' || kind === 'opaque') this.#problem(`delta of part ${key}, whose kind ${kind} has none`);
    if (event.logprobs !== undefined && kind !== 'text' && kind !== 'refusal')
      this.#problem(`log probabilities in part ${key}, whose kind ${kind} has none`);
    if (typeof event.text !== 'string') this.#problem(`delta of part ${key} without text`);
  }

  #endChoice({ choice }: EventOf<'choice-end'>): void {
    if (this.#endedChoices.has(choice)) this.#problem(`choice ${choice} ends again`);
    for (const key of this.#open.keys())
      if (key.startsWith(`${choice}/`)) this.#problem(`choice ${choice} ends while part ${key} is open`);
    this.#endedChoices.add(choice);
  }

  #endResponse(): void {
    for (const key of this.#open.keys()) this.#problem(`the response ends while part ${key} is open`);
    for (const key of this.#used)
      if (!this.#endedChoices.has(Number(key.split('/')[0])))
        this.#problem(`the response ends, but the choice of part ${key} does not`);
    if (!this.#started) this.#problem('the response ends without a response-start');
  }

  #problem(text: string): void {
    this.problems.push(`event ${this.#index}: ${text}`);
  }
}

/**
 * Checks a stream of canonical events: every start has its end, nothing precedes its start or follows its end, exactly
 * one terminal event ends the stream. A stream that ends in `error` can leave parts open. Returns the problems; empty
 * if there are none.
 */
export function checkEventGrammar(events: readonly GenerateEvent[]): string[] {
  const grammar = new GrammarCheck();
  for (const event of events) grammar.check(event);
  grammar.end();
  return grammar.problems;
}
