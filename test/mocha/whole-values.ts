import { config } from 'chai';

// A list that differs is printed, and not only its length: a failure that comes once in many runs must say what it saw.
config.truncateThreshold = 1_000;
