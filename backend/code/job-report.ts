import type { JobDetails, JobPhase } from '@repoless/contract/job.ts';

type Change = Partial<Omit<JobDetails, 'data'>> & { readonly data?: Partial<JobDetails['data']> };

/** Progress of a job while it runs: in memory, saved at intervals. */
export interface JobReport {
  readonly record: JobDetails;
  change(change: Change): void;
  phase(phase: JobPhase): void;
  waiting(sentence?: string): void;
  processed(files: number): void;
}

/** `save` is called at most once in a while, and soon after the last change. */
export function jobReport(begun: JobDetails, save: () => void): JobReport {
  let record = begun;
  const change = ({ data, ...rest }: Change) => {
    record = { ...record, ...rest, data: { ...record.data, ...data } };
    save();
  };
  return {
    get record() {
      return record;
    },
    change,
    phase: (phase) => change({ data: { phase } }),
    waiting(sentence) {
      const { waiting: _waiting, ...data } = record.data;
      record = { ...record, data: sentence === undefined ? data : { ...data, waiting: sentence } };
      save();
    },
    processed(files) {
      change({ progress: { ...record.progress, processed: record.progress.processed + files } });
    },
  };
}
