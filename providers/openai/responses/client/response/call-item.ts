import type { JsonObject } from '../../../../../core/api/index.ts';
import type { CallHead, PartEncoder, PartEnd, Proof } from '../../../../../core/api/codec.ts';
import { WholeCharacters } from '../../../whole-characters.ts';
import type { Item, ItemStatus, NewId, OpenItem, OutputList, Place } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';

export interface CallOptions {
  readonly call: CallHead;
  /** Name and namespace as the client declared them. */
  readonly named: { readonly name: string; readonly namespace?: string };
  readonly newId: NewId;
  /** The client asked for proofs, which it can send back. */
  readonly proofs: boolean;
}

/** How a kind of call is written. */
interface CallType {
  readonly type: string;
  readonly prefix: string;
  readonly event: string;
  /** The member that holds the input. */
  readonly member: string;
}
const callTypes: Readonly<Record<CallHead['kind'], CallType>> = {
  function: { type: 'function_call', prefix: 'fc_', event: 'response.function_call_arguments', member: 'arguments' },
  custom: { type: 'custom_tool_call', prefix: 'ctc_', event: 'response.custom_tool_call_input', member: 'input' },
};

/** A call. It stays open after its part until it is known whether the response was cut within it. */
export class CallItem implements OpenItem, PartEncoder {
  readonly #output: OutputList;
  readonly #options: CallOptions;
  readonly #id: string;
  readonly #place: Place;
  readonly #deltaEvent: string;
  readonly #characters = new WholeCharacters();
  #input = '';
  #proof: Proof | undefined;

  constructor(output: OutputList, options: CallOptions) {
    const { prefix, event } = callTypes[options.call.kind];
    this.#output = output;
    this.#options = options;
    this.#id = options.newId(prefix);
    this.#deltaEvent = `${event}.delta`;
    this.#place = output.add(this.#compose('in_progress'));
  }

  delta(fragment: string): void {
    this.#show(this.#characters.add(fragment));
  }

  end({ proof }: PartEnd): void {
    const { call, named } = this.#options;
    const { event, member } = callTypes[call.kind];
    this.#show(this.#characters.end());
    // Clients parse the arguments: a call without any gets an empty object.
    if (this.#input === '' && call.kind === 'function') this.#show('{}');
    const name: JsonObject = call.kind === 'function' ? { name: named.name } : {};
    this.#output.emit(`${event}.done`, { ...this.#place, ...name, [member]: this.#input });
    this.#proof = proof;
  }

  close(status: ItemStatus): void {
    const { call, newId, proofs } = this.#options;
    this.#output.finish(this.#place, this.#compose(status));
    if (proofs && this.#proof !== undefined) writeProofItem(this.#output, newId, { callId: call.id }, this.#proof);
  }

  partial(): undefined {
    return undefined;
  }

  #show(delta: string): void {
    if (delta === '') return;
    this.#input += delta;
    this.#output.emit(this.#deltaEvent, { ...this.#place, delta });
  }

  #compose(status: ItemStatus | 'in_progress'): Item {
    const { call, named } = this.#options;
    const { type, member } = callTypes[call.kind];
    return { id: this.#id, type, status, call_id: call.id, ...named, [member]: this.#input };
  }
}
