import type { Media, OpaquePart } from '../../../../../core/api/index.ts';
import {
  type CallHead,
  createBufferLimit,
  isObject,
  type PartEncoder,
  type PartEvent,
  type PartStart,
  readText,
  type WriteContext,
} from '../../../../../core/api/codec.ts';
import { isStepType, WIRE } from '../../shape.ts';
import { writeSearch } from '../../web-search.ts';
import { startCall, startText, startThought, type StepList, writeContent, writeMedia } from './parts.ts';

const noPart: PartEncoder = { delta: () => {}, end: () => {} };

/** Writes parts, which come one after the other, as steps: each is a step of its own. */
export class StepWriter {
  readonly #list: StepList;
  readonly #context: WriteContext;
  /** Texts are kept for their annotations, and whole steps for later requests. */
  readonly #keep = createBufferLimit();
  readonly #callIds = new Set<string>();
  #part = noPart;

  constructor(list: StepList, context: WriteContext) {
    this.#list = list;
    this.#context = context;
  }

  push(event: PartEvent): void {
    if (event.type === 'part-start') this.#part = this.#start(event);
    else if (event.type === 'part-end') this.#part.end(event);
    else if (event.text !== '') {
      this.#keep(event.text.length);
      this.#part.delta(event.text);
    }
  }

  #start({ kind, call, redacted = false, value }: PartStart): PartEncoder {
    const { request, lose } = this.#context;
    switch (kind) {
      case 'text':
      case 'refusal':
        return startText(this.#list, lose);
      case 'reasoning':
        return startThought(this.#list, { visible: !redacted && request.reasoning?.show !== false, redacted });
      case 'tool-call':
        return call === undefined ? noPart : startCall(this.#list, this.#claim(call), lose);
      case 'media':
        writeMedia(this.#list, value as Media);
        return noPart;
      case 'opaque':
        this.#writeOpaque(value as OpaquePart);
        return noPart;
    }
  }

  #writeOpaque({ wire, value, search }: OpaquePart): void {
    const { newId, lose } = this.#context;
    if (wire === WIRE && isObject(value)) {
      if (isStepType(readText(value['type']))) this.#list.write(value);
      else writeContent(this.#list, value);
    } else if (search === undefined) lose('steps', 'dropped', `a block that exists only on ${wire}`);
    else for (const step of writeSearch(search, newId('search_'))) this.#list.write(step);
  }

  /** An id that is missing or used twice is replaced: results are found by it. */
  #claim(call: CallHead): CallHead {
    const id = call.id === '' || this.#callIds.has(call.id) ? this.#context.newId('call_') : call.id;
    this.#callIds.add(id);
    return id === call.id ? call : { ...call, id };
  }
}
