import type { Bucket, BucketKind, Charge, ReserveRequest } from '../../../../plugins/rate-limit/store/store.ts';

const bucket = (key: string, kind: BucketKind, limit: number, per: number, rest: Partial<Bucket> = {}): Bucket => ({
  key,
  kind,
  limit,
  per,
  rate: 0,
  enforce: true,
  ...rest,
});

export const window = (key: string, limit: number, amount: number, per = 600, rest: Partial<Bucket> = {}): Charge => ({
  bucket: bucket(key, 'window', limit, per, rest),
  amount,
});
export const tokenBucket = (key: string, size: number, amount: number, rate: number, per: number): Charge => ({
  bucket: bucket(key, 'token-bucket', size, per, { rate }),
  amount,
});
export const leases = (key: string, limit: number, amount = 1): Charge => ({
  bucket: bucket(key, 'leases', limit, 0),
  amount,
});
/** @param bounds as in `Charge` */
export const calendar = (key: string, limit: number, amount: number, bounds: readonly number[]): Charge => ({
  bucket: bucket(key, 'calendar', limit, 0),
  amount,
  bounds,
});

let count = 0;
/** With a unique id. */
export const request = (charges: readonly Charge[], rest: Partial<ReserveRequest> = {}): ReserveRequest => {
  count += 1;
  return { id: `request-${count}`, tenant: 'acme', leaseMs: 60_000, charges, ...rest };
};
