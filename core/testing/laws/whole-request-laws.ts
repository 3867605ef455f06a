import { GatewayError, type Operation } from '../../api/index.ts';
import type { ClientSide, Codec, RequestOf } from '../../api/codec.ts';
import { expectNone, expectSame, type Check } from '../check.ts';
import { decodeRequest } from '../decode-request.ts';
import { recordReads } from '../record-reads.ts';
import type { RecordedRequest, Recording } from '../recording.ts';
import type { ConversationOperation } from '../../contracts/codec-context.ts';
import { recordedRequestLaws, writeRequest } from './kept-members.ts';

/** The operations whose requests are no conversations. */
export type WholeOperation = Exclude<Operation, ConversationOperation>;
/** Those of them whose responses hold no vectors. */
export type PlainOperation = Exclude<WholeOperation, 'embed'>;

/**
 * A request is encoded whole, or refused because the wire cannot express it; omissions are reported as losses.
 * @param isForm whether a member is expressed by the form of the body, and not by a member of it
 */
export const readsWhole = <O extends WholeOperation>(
  codec: Codec<O>,
  request: RequestOf<O>,
  isForm: (path: string) => boolean,
): void => {
  const record = recordReads(request);
  try {
    const named = writeRequest(codec, record.value).losses.map(({ field }) => field);
    expectNone(
      record.unread().filter((path) => !isForm(path) && !named.some((field) => path.includes(field))),
      'neither read nor reported as lost',
    );
  } catch (thrown) {
    if (!GatewayError.is(thrown) || thrown.code !== 'unsupported_parameter' || thrown.param === undefined) throw thrown;
  }
};

/** @param what is compared, for the message */
export const roundTrip = <O extends Operation>(
  codec: Codec<O>,
  recorded: RecordedRequest,
  compared: (request: RequestOf<O>) => unknown,
  what = 'request',
): void => {
  const { request } = decodeRequest(codec, recorded);
  const { body, losses } = writeRequest(codec, request);
  expectNone(
    losses.map(({ field, detail }) => `${field}: ${detail}`),
    'lost on its own wire',
  );
  expectSame(
    compared(decodeRequest(codec, recorded, body).request),
    compared(request),
    `the ${what} changed when it was written and read again`,
  );
};

const takesFormsOnly = ({ form }: Pick<ClientSide<Operation>, 'form'>): boolean =>
  form !== undefined && form.orJson !== true;

/** The laws of a recorded request. @param compared what a round trip has to preserve of it */
export const wholeRequestLaws = <O extends WholeOperation>(
  codec: Codec<O>,
  recording: Recording,
  defaults: readonly (string | number)[],
  compared: (request: RequestOf<O>) => unknown,
): Check[] =>
  // A recording has the fields of a form, and not its file.
  codec.client === undefined || takesFormsOnly(codec.client)
    ? []
    : recordedRequestLaws(codec, recording, defaults, (request) => roundTrip(codec, request, compared));
