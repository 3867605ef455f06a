import { GatewayError } from '../../../core/api/index.ts';

const expectOurs = (thrown: unknown): GatewayError => {
  if (GatewayError.is(thrown)) return thrown;
  throw thrown;
};

/** The GatewayError that a call throws; anything else, or nothing, fails the test. */
export const catchError = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    return expectOurs(thrown);
  }
  throw new Error('nothing was thrown');
};

/** The GatewayError that a promise rejects with. */
export const catchRejection = async (pending: Promise<unknown>): Promise<GatewayError> => {
  try {
    await pending;
  } catch (thrown) {
    return expectOurs(thrown);
  }
  throw new Error('nothing was thrown');
};
