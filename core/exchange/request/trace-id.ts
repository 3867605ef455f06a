import type { Headers } from '../../canonical/wire.ts';

/** W3C trace context: version, trace id, parent id, flags. Version ff and ids of zeros are invalid. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id of the client's `traceparent`; undefined if there is none. */
export const readTraceId = ({ traceparent }: Headers): string | undefined =>
  traceparent === undefined ? undefined : TRACE_PARENT.exec(traceparent)?.[1];

/** The trace id of a request whose client has none: the 32 digits of its id. @param id `req_` and the digits */
export const ownTraceId = (id: string): string => id.slice('req_'.length);
