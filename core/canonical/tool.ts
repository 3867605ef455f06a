import type { CacheMark } from './part.ts';
import type { JsonObject } from './wire.ts';

/** A tool the model may call. `hosted` tools run at the vendor and travel only where the same wire is spoken. */
export interface Tool {
  readonly name: string;
  readonly kind: 'function' | 'custom' | 'hosted';
  readonly description?: string;
  /** JSON Schema of the input of a function; absent when the client gave none. Passed untouched. */
  readonly schema?: Readonly<JsonObject>;
  readonly strict?: boolean;
  readonly cache?: CacheMark;
  /** The group that the client declared the tool in, and its name there. `name` is then flat: `<group>__<tool>`, which every wire can say. */
  readonly namespace?: { readonly name: string; readonly tool: string };
  /** The vendor's own definition: of a hosted tool all of it, of a custom tool its `format`, of a function its members without a canonical word. */
  readonly vendor?: Readonly<JsonObject>;
}

export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required';
  /** Only these tools may be called. One name with `required` is the forced call. */
  readonly only?: readonly string[];
}
