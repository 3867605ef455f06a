import { registerHooks } from 'node:module';
import { resolveOwnPackage } from './own-package.ts';

/**
 * The entry `koine-gateway/register`: makes `koine-gateway` resolve to this gateway in a thread or process that an
 * extension starts. Node runs hooks only in the thread that registered them.
 *
 * @example new Worker(new URL('./thread.ts', import.meta.url), {
 *   execArgv: ['--import', import.meta.resolve('koine-gateway/register')],
 * });
 */
registerHooks({ resolve: resolveOwnPackage });
