import auth from '../../../plugins/auth/index.ts';
import failover from '../../../plugins/failover/index.ts';
import ledger from '../../../plugins/ledger/index.ts';
import metrics from '../../../plugins/metrics/index.ts';
import rateLimit from '../../../plugins/rate-limit/index.ts';
import anthropic from '../../../providers/anthropic/index.ts';
import google from '../../../providers/google/index.ts';
import openai from '../../../providers/openai/index.ts';
import openaiCompatible from '../../../providers/openai-compatible/index.ts';
import simulator from '../../../providers/simulator/index.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';

/** What a first and an imported configuration are made of, without the gateway that would serve it. */
export const builtIns: BuiltIns = { provider: { anthropic, google, openai, 'openai-compatible': openaiCompatible, simulator }, plugin: { auth, failover, ledger, metrics, 'rate-limit': rateLimit } };
