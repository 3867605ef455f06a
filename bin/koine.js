#!/usr/bin/env node
import './check-node.js';
await import('../core/main.ts');
