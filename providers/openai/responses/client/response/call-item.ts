import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type CallHead,
  isObject,
  type Lose,
  parseJson,
  type PartEncoder,
  type PartEnd,
  type Proof,
} from '../../../../../core/api/codec.ts';
import type { ClientTool } from '../../client-tools.ts';
import type { Item, ItemStatus, NewId, OpenItem, OutputList, ItemPosition } from './output-list.ts';
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
  readonly #position: ItemPosition;
  readonly #deltaEvent: string;
  #input = '';
  #proof: Proof | undefined;

  constructor(output: OutputList, options: CallOptions) {
    const { prefix, event } = callTypes[options.call.kind];
    this.#output = output;
    this.#options = options;
    this.#id = options.newId(prefix);
    this.#deltaEvent = `${event}.delta`;
    this.#position = output.add(this.#compose('in_progress'));
  }

  delta(delta: string): void {
    if (delta === '') return;
    this.#input += delta;
    this.#output.emit(this.#deltaEvent, { ...this.#position, delta });
  }

  end({ proof }: PartEnd): void {
    const { call, named } = this.#options;
    const { event, member } = callTypes[call.kind];
    // Clients parse the arguments: a call without any gets an empty object.
    if (this.#input === '' && call.kind === 'function') this.delta('{}');
    const name: JsonObject = call.kind === 'function' ? { name: named.name } : {};
    this.#output.emit(`${event}.done`, { ...this.#position, ...name, [member]: this.#input });
    this.#proof = proof;
  }

  close(status: ItemStatus): void {
    const { call, newId, proofs } = this.#options;
    this.#output.finish(this.#position, this.#compose(status));
    if (proofs && this.#proof !== undefined) writeProofItem(this.#output, newId, { callId: call.id }, this.#proof);
  }

  #compose(status: ItemStatus | 'in_progress'): Item {
    const { call, named } = this.#options;
    const { type, member } = callTypes[call.kind];
    return { id: this.#id, type, status, call_id: call.id, ...named, [member]: this.#input };
  }
}

/**
 * A call of a tool that the client executes, as the item of that tool. It is written when it is complete: the item
 * holds parsed members, and no client must run half of a call.
 */
export class ClientCallItem implements OpenItem, PartEncoder {
  readonly #output: OutputList;
  readonly #options: CallOptions;
  readonly #tool: ClientTool;
  readonly #lose: Lose;
  #input = '';
  #proof: Proof | undefined;

  constructor(output: OutputList, options: CallOptions, tool: ClientTool, lose: Lose) {
    this.#output = output;
    this.#options = options;
    this.#tool = tool;
    this.#lose = lose;
  }

  delta(fragment: string): void {
    this.#input += fragment;
  }

  end({ proof }: PartEnd): void {
    this.#proof = proof;
  }

  close(status: ItemStatus): void {
    if (status === 'incomplete') return;
    const { call, newId, proofs } = this.#options;
    const { call: type, prefix, writeCall } = this.#tool;
    const item = { id: newId(prefix), type, call_id: call.id, ...writeCall(this.#read()) };
    const position = this.#output.add({ ...item, status: 'in_progress' });
    this.#output.finish(position, { ...item, status });
    if (proofs && this.#proof !== undefined) writeProofItem(this.#output, newId, { callId: call.id }, this.#proof);
  }

  #read(): JsonObject {
    const input = parseJson(this.#input === '' ? '{}' : this.#input);
    if (isObject(input)) return input;
    this.#lose('output', 'dropped', 'the arguments of a call are not a JSON object');
    return {};
  }
}
