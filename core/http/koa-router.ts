import { createRequire } from 'node:module';
import type * as koaRouter from '@koa/router';

const { Router } = createRequire(import.meta.url)('@koa/router') as typeof koaRouter;

/** Loads the CommonJS build, because the other imports `node:http` and with it Node's `fetch` (services/node-http). */
export const createRouter = (): koaRouter.Router => new Router();
