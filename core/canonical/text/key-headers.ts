/**
 * Headers that hold a key and nothing else, in the order in which they count. `authorization` has a scheme before it.
 * Callers are identified by them, and no line of the log has their values.
 */
export const keyHeaders = ['x-api-key', 'x-alt-api-key', 'x-goog-api-key'] as const;
