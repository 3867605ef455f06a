import type { CacheMark } from './part.ts';
import type { JsonObject } from './wire.ts';

/** A tool for the model to call. `hosted` tools run at the vendor, and work only on the same wire. */
export interface Tool {
  readonly name: string;
  readonly kind: 'function' | 'custom' | 'hosted';
  readonly description?: string;
  /** JSON Schema of a function's input; absent if the client sent none. Passed on unchanged. */
  readonly schema?: Readonly<JsonObject>;
  readonly strict?: boolean;
  readonly cache?: CacheMark;
  /**
   * The namespace in which the client declared the tool, and its name there. `name` is then `<namespace>__<tool>`,
   * which every wire can express.
   */
  readonly namespace?: { readonly name: string; readonly tool: string };
  /**
   * Vendor-specific members: the whole definition of a hosted tool, the `format` of a custom tool, other members of a
   * function.
   */
  readonly vendor?: Readonly<JsonObject>;
}

/** Whether the model may or must call tools, and which. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required';
  /** Restricts calls to these tools. One name with `required` forces a call of it. */
  readonly only?: readonly string[];
}
