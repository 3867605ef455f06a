import type { CallHead, JsonObject, Proof } from '../../../../../core/index.ts';
import type { Item, OpenItem, OutputList, PartEnd } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';
import { createWholeText } from '../../../whole-characters.ts';

export interface CallItem extends OpenItem {
  delta(text: string): void;
  end(end: PartEnd): void;
}
export interface CallOptions {
  readonly call: CallHead;
  /** Name and namespace as the client declared them. */
  readonly named: { readonly name: string; readonly namespace?: string };
  readonly newId: (prefix: string) => string;
  /** The client asked for what it can give back. */
  readonly proofs: boolean;
}

interface Words {
  readonly type: string;
  readonly prefix: string;
  readonly event: string;
  /** The member that holds the input. */
  readonly member: string;
}
const words: Readonly<Record<CallHead['kind'], Words>> = {
  function: { type: 'function_call', prefix: 'fc_', event: 'response.function_call_arguments', member: 'arguments' },
  custom: { type: 'custom_tool_call', prefix: 'ctc_', event: 'response.custom_tool_call_input', member: 'input' },
};

/** A call, closed when it is known whether the answer was cut within it. */
export function openCall(output: OutputList, { call, named, newId, proofs }: CallOptions): CallItem {
  const { type, prefix, event, member } = words[call.kind];
  const id = newId(prefix);
  const whole = createWholeText();
  let input = '';
  let signature: Proof | undefined;
  const compose = (status: string): Item => ({ id, type, status, call_id: call.id, ...named, [member]: input });
  const place = output.add(compose('in_progress'));
  const show = (delta: string): void => {
    if (delta === '') return;
    input += delta;
    output.emit(`${event}.delta`, { ...place, delta });
  };
  const told: JsonObject = call.kind === 'function' ? { name: named.name } : {};
  return {
    delta: (fragment) => show(whole.add(fragment)),
    end: ({ proof }) => {
      show(whole.rest());
      // Clients parse the arguments: a call without any gets an empty object.
      if (input === '' && call.kind === 'function') show('{}');
      output.emit(`${event}.done`, { ...place, ...told, [member]: input });
      signature = proof;
    },
    close: (status) => {
      output.done(place, compose(status));
      if (proofs && signature !== undefined) writeProofItem(output, newId, { callId: call.id }, signature);
    },
    soFar: () => undefined,
  };
}
