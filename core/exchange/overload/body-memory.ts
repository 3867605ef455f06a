import type { JsonLayout } from '../../framing/json-layout.ts';

/**
 * Four for each byte: the body, its text after parsing (two bytes per character as soon as one is not Latin-1), and the
 * bytes that are sent to the provider.
 */
const PER_BYTE = 4;
/** An object or list of the body, and what it becomes in the canonical request. */
const PER_CONTAINER = 60;
/** What a string, number or literal takes besides its bytes. */
const PER_SCALAR = 16;
/** A member of an object: its place there and among the members that no codec knows, and the shape of the object. */
const PER_MEMBER = 120;
/** A member of the body itself has its offsets too, and can be named as a loss. */
const PER_OWN_MEMBER = 150;

/**
 * The memory that a body takes until its exchange is settled: an upper bound, from counts that are known before it is
 * parsed. Measured as the growth of heap and buffers after a collection, while the provider had not responded, for many
 * messages, parts, tools, calls, strings, unknown members and long texts, on the pairs of wires. A tiny message
 * (`{"role":"user","content":"a"}`) took up to 260 bytes; this counts 450.
 * test/hostile/bodies/large-bodies.alone.test.ts opens as many such bodies as are let in, with a heap of 512 MB.
 * @returns bytes
 */
export function memoryOf(bytes: number, layout: JsonLayout | undefined): number {
  if (layout === undefined) return bytes * PER_BYTE;
  const { counts, memberCount, members } = layout;
  return (
    bytes * PER_BYTE +
    counts.containers * PER_CONTAINER +
    counts.scalars * PER_SCALAR +
    memberCount * PER_MEMBER +
    members.length * PER_OWN_MEMBER
  );
}
