import { builtIns } from '../e2e/gateway.ts';

/** Does a built-in provider bring both halves of this wire? */
export const isSpoken =
  (operation: string) =>
  (wire: string): boolean =>
    Object.values(builtIns.provider).some(({ codecs = [] }) => codecs.some((codec) => codec.operation === operation && codec.wire === wire && codec.client !== undefined && codec.upstream !== undefined));
