import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  type Lose,
  type PartEncoder,
  type PartEnd,
  parseJson,
  type Proof,
} from '../../../../../core/api/codec.ts';
import type { ClientTool } from '../../client-tools.ts';
import type { CallOptions } from './call-item.ts';
import type { ItemStatus, OpenItem, OutputList } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';

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
    const place = this.#output.add({ ...item, status: 'in_progress' });
    this.#output.finish(place, { ...item, status });
    if (proofs && this.#proof !== undefined) writeProofItem(this.#output, newId, { callId: call.id }, this.#proof);
  }

  partial(): undefined {
    return undefined;
  }

  #read(): JsonObject {
    const input = parseJson(this.#input === '' ? '{}' : this.#input);
    if (isObject(input)) return input;
    this.#lose('output', 'dropped', 'the arguments of a call are not a JSON object');
    return {};
  }
}
