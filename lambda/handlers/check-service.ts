/** Makes the job that checks the deployed service from outside, as a caller. */
export { createCheck as create } from '../jobs/check/check-service.ts';
