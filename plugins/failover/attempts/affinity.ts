/** Two hashes as one number of (0, 1): murmur's last step spreads what differs in few bits. */
export function spread(one: number, other: number): number {
  let mixed = one ^ Math.imul(other, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 0x1_0000_0000;
}
