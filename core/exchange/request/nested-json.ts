import type { Part } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { MAX_DEPTH, readJsonLayout, type JsonBounds } from '../../framing/json-layout.ts';
import { KeyCount } from '../../framing/key-count.ts';
import { bodyBounds, describeExcess } from '../../framing/layout-of.ts';

/** Shorter bodies cannot exceed a bound: `[],` is three bytes. */
const SHORT_BODY = 3 * bodyBounds.containers;

const textOf = (part: Part): string => {
  if (part.type === 'tool-call') return part.input;
  if (part.type !== 'tool-result') return '';
  return part.parts.map((inner) => (inner.type === 'text' ? inner.text : '')).join('\n');
};

const refuseExcess = (excess: string): GatewayError => {
  const limit = `The arguments and results of tool calls hold ${excess}, the most that this gateway reads.`;
  return new GatewayError('request_too_large', `${limit} Shorten the conversation.`);
};

/** Counts the JSON in a text. If it is nested too deeply, its length is the upper bound of its containers. */
const countText = (text: string, keys: KeyCount): JsonBounds => {
  const { counts, depth } = readJsonLayout(Buffer.from(text), bodyBounds, keys);
  return depth > MAX_DEPTH ? { ...counts, containers: text.length } : counts;
};

/**
 * Arguments and results of tool calls are JSON text on some wires and objects on others, so translations parse them.
 * Their content is bounded like that of the body itself.
 * @param bytes length of the body
 * @throws GatewayError 413
 */
export function checkNestedJson({ turns }: GenerateRequest, bytes: number): void {
  if (bytes < SHORT_BODY) return;
  const keys = new KeyCount();
  let [containers, scalars] = [0, 0];
  for (const { parts } of turns) {
    for (const part of parts) {
      const text = textOf(part);
      if (!/^\s*[[{]/.test(text)) continue;
      const counts = countText(text, keys);
      containers += counts.containers;
      scalars += counts.scalars;
      const excess = describeExcess({ containers, scalars, keys: keys.different });
      if (excess !== undefined) throw refuseExcess(excess);
    }
  }
}
