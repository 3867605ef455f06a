import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, lookUp } from '../../../../core/api/codec.ts';

type Report = (problem: string) => void;
type List = 'content' | 'summary';

interface OpenPart {
  readonly list: List;
  readonly index: number;
  readonly type: unknown;
  readonly annotations: unknown[];
  text: string;
  done: boolean;
}

/** What holds text: the type of part, or of item where it has no parts, and the member that holds the text. */
interface TextEvent {
  readonly type: string;
  readonly member: string;
  readonly list?: List;
  /** The SDK's type of the event requires `logprobs`. */
  readonly logprobs?: true;
}
const textEvents: Readonly<Record<string, TextEvent>> = {
  'response.output_text': { type: 'output_text', member: 'text', list: 'content', logprobs: true },
  'response.refusal': { type: 'refusal', member: 'refusal', list: 'content' },
  'response.reasoning_text': { type: 'reasoning_text', member: 'text', list: 'content' },
  'response.reasoning_summary_text': { type: 'summary_text', member: 'text', list: 'summary' },
  'response.function_call_arguments': { type: 'function_call', member: 'arguments' },
  'response.custom_tool_call_input': { type: 'custom_tool_call', member: 'input' },
};
const partEvents: Readonly<Record<string, List>> = {
  'response.content_part': 'content',
  'response.reasoning_summary_part': 'summary',
};
const indexOf = { content: 'content_index', summary: 'summary_index' } as const;
const partMember: Readonly<Record<string, string>> = {
  output_text: 'text',
  refusal: 'refusal',
  reasoning_text: 'text',
  summary_text: 'text',
};
const partsOf: Readonly<Record<string, readonly string[]>> = {
  message: ['output_text', 'refusal'],
  reasoning: ['reasoning_text', 'summary_text'],
};
/** The member of an item that is empty when it starts. */
const bodies: Readonly<Record<string, readonly [member: string, empty: unknown]>> = {
  message: ['content', []],
  reasoning: ['summary', []],
  function_call: ['arguments', ''],
  custom_tool_call: ['input', ''],
};

/** The phases of a search at the vendor, in order. */
const SEARCH = 'response.web_search_call';
const searchPhases = ['in_progress', 'searching', 'completed'];

/** All events about an open item. */
export const itemEvents: ReadonlySet<string> = new Set([
  ...searchPhases.map((phase) => `${SEARCH}.${phase}`),
  'response.output_text.annotation.added',
  ...Object.keys(textEvents).flatMap((name) => [`${name}.delta`, `${name}.done`]),
  ...Object.keys(partEvents).flatMap((name) => [`${name}.added`, `${name}.done`]),
]);

/** One item of a stream: what its events brought, to compare with the finished item. */
export class ResponseItem {
  readonly index: number;
  readonly id: unknown;
  readonly #item: JsonObject;
  readonly #report: Report;
  readonly #parts: Readonly<Record<List, JsonObject[]>> = { content: [], summary: [] };
  #open: OpenPart | undefined;
  #text = '';
  #textDone = false;
  /** The phases of a search that came. */
  #phases = 0;

  constructor(index: number, item: JsonObject, report: Report) {
    this.index = index;
    this.id = item['id'];
    this.#item = item;
    this.#report = report;
    const { id, type, name, call_id: call, status } = item;
    if (!id || typeof id !== 'string' || !type) report(`item ${index} has no id or type`);
    const [member, empty] = lookUp(bodies, String(type)) ?? [];
    if (member !== undefined && !isDeepStrictEqual(item[member], empty))
      report(`item ${index} begins with ${member} ${JSON.stringify(item[member])}`);
    if (member !== undefined && type !== 'reasoning' && status !== 'in_progress')
      report(`item ${index} begins with status ${String(status)}`);
    if (type === 'message' && item['role'] !== 'assistant') report(`message ${index} has no role`);
    if ((type === 'function_call' || type === 'custom_tool_call') && (!name || !call))
      report(`call ${index} has no name or call_id`);
  }

  see(type: string, data: JsonObject): void {
    const at = type.lastIndexOf('.');
    const [name, step] = [type.slice(0, at), type.slice(at + 1)];
    const list = partEvents[name];
    const text = textEvents[name];
    if (name === SEARCH) this.#search(step);
    else if (list !== undefined) {
      if (step === 'added') this.#beginPart(list, data);
      else this.#endPart(list, data);
    } else if (text === undefined) this.#annotate(data);
    else if (text.list === undefined) this.#ownText(text, step, data);
    else this.#partText(text, text.list, step, data);
  }

  /** The finished item is the item that started, with what the events brought. */
  end(final: JsonObject): void {
    const { id, type, name, call_id: call } = this.#item;
    if (final['id'] !== id || final['type'] !== type || final['name'] !== name || final['call_id'] !== call)
      this.#report(`item ${this.index} ends as another: ${JSON.stringify(final).slice(0, 200)}`);
    if (this.#open !== undefined) this.#report(`item ${this.index} ends while its part ${this.#open.index} is open`);
    const due = searchPhases[this.#phases];
    if (this.#phases > 0 && due !== undefined) this.#report(`item ${this.index} ends where its phase ${due} is due`);
    const [member] = lookUp(bodies, String(type)) ?? [];
    if (member === undefined) return;
    if (type !== 'reasoning' && final['status'] !== 'completed' && final['status'] !== 'incomplete')
      this.#report(`item ${this.index} ends with status ${String(final['status'])}`);
    if (member === 'arguments' || member === 'input') {
      if (!this.#textDone) this.#report(`item ${this.index} ends without ${member}.done`);
      if (final[member] !== this.#text)
        this.#report(
          `item ${this.index} ends with ${member} ${JSON.stringify(final[member])} for ${JSON.stringify(this.#text)}`,
        );
      return;
    }
    for (const list of ['content', 'summary'] as const) {
      const streamed = this.#parts[list];
      if (
        (list === member || streamed.length > 0 || final[list] !== undefined) &&
        !isDeepStrictEqual(final[list], streamed)
      )
        this.#report(
          `item ${this.index} ends with ${list} ${JSON.stringify(final[list])} for ${JSON.stringify(streamed)}`,
        );
    }
  }

  #search(phase: string): void {
    const due = searchPhases[this.#phases++];
    if (this.#item['type'] !== 'web_search_call') this.#report(`a search in an item ${String(this.#item['type'])}`);
    else if (phase !== due) this.#report(`the phase ${phase} where ${String(due)} is due`);
  }

  #beginPart(list: List, data: JsonObject): void {
    const index = data[indexOf[list]];
    const part = isObject(data['part']) ? data['part'] : {};
    const type = String(part['type']);
    const due = this.#parts[list].length;
    if (this.#open !== undefined) this.#report(`part ${String(index)} begins while part ${this.#open.index} is open`);
    if (index !== due) this.#report(`part ${String(index)} where ${due} is due`);
    if (!(lookUp(partsOf, String(this.#item['type'])) ?? []).includes(type))
      this.#report(`a part ${type} in an item ${String(this.#item['type'])}`);
    if (part[lookUp(partMember, type) ?? ''] !== '') this.#report(`part ${due} does not begin empty`);
    if (type === 'output_text' && !isDeepStrictEqual(part['annotations'], []))
      this.#report(`part ${due} begins without an empty list of annotations`);
    this.#open = { list, index: due, type, annotations: [], text: '', done: false };
  }

  #endPart(list: List, data: JsonObject): void {
    const open = this.#openPart(list, data, 'end');
    if (open === undefined) return;
    const part = isObject(data['part']) ? data['part'] : {};
    if (!open.done) this.#report(`part ${open.index} ends before its text is done`);
    if (part['type'] !== open.type || part[lookUp(partMember, String(open.type)) ?? ''] !== open.text)
      this.#report(`part ${open.index} ends as ${JSON.stringify(part)} for ${JSON.stringify(open.text)}`);
    if (open.type === 'output_text' && !isDeepStrictEqual(part['annotations'], open.annotations))
      this.#report(`part ${open.index} ends with other annotations than were added`);
    this.#parts[list].push(part);
    this.#open = undefined;
  }

  #openPart(list: List, data: JsonObject, what: string): OpenPart | undefined {
    const open = this.#open;
    const index = data[indexOf[list]];
    if (open !== undefined && open.list === list && open.index === index) return open;
    this.#report(`${what} of part ${String(index)}, which is not open`);
    return undefined;
  }

  #partText({ type, member, logprobs }: TextEvent, list: List, step: string, data: JsonObject): void {
    const open = this.#openPart(list, data, step);
    if (open === undefined) return;
    if (open.type !== type) this.#report(`${type} in a part ${String(open.type)}`);
    if (open.done) this.#report(`${step} after the text of part ${open.index} was done`);
    if (logprobs === true && !Array.isArray(data['logprobs'])) this.#report(`${type} ${step} without logprobs`);
    if (step === 'delta') open.text += this.#delta(data);
    else {
      open.done = true;
      if (data[member] !== open.text)
        this.#report(`the text done is ${JSON.stringify(data[member])} for ${JSON.stringify(open.text)}`);
    }
  }

  #ownText({ type, member }: TextEvent, step: string, data: JsonObject): void {
    if (this.#item['type'] !== type) this.#report(`${member} in an item ${String(this.#item['type'])}`);
    if (this.#textDone) this.#report(`${step} after the ${member} was done`);
    if (step === 'delta') this.#text += this.#delta(data);
    else {
      this.#textDone = true;
      if (data[member] !== this.#text)
        this.#report(`the ${member} done is ${JSON.stringify(data[member])} for ${JSON.stringify(this.#text)}`);
    }
  }

  #annotate(data: JsonObject): void {
    const open = this.#openPart('content', data, 'annotation');
    if (open === undefined) return;
    if (data['annotation_index'] !== open.annotations.length)
      this.#report(`annotation ${String(data['annotation_index'])} where ${open.annotations.length} is due`);
    if (open.type !== 'output_text' || !isObject(data['annotation']))
      this.#report('an annotation of nothing, or without a value');
    open.annotations.push(data['annotation']);
  }

  #delta({ delta }: JsonObject): string {
    if (typeof delta === 'string') return delta;
    this.#report('a delta without text');
    return '';
  }
}
