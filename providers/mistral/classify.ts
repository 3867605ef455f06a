import type { FailureClass } from '../../core/api/index.ts';
import { isObject, lookUp, readText, type ErrorReply } from '../../core/api/codec.ts';

/** Types of errors whose status is that of a caller's fault, or too general. */
const failures: Readonly<Record<string, FailureClass>> = {
  invalid_model: 'model-gone',
  model_not_found: 'model-gone',
  service_tier_capacity_exceeded: 'overloaded',
  rate_limited: 'rate-limit',
  unreachable_backend: 'transient',
};

/** `{"object":"error","message":"Invalid model: …","type":"invalid_model","code":"1500"}` */
export const classify = ({ body }: ErrorReply): FailureClass | undefined =>
  isObject(body) ? lookUp(failures, readText(body['type'])) : undefined;
