/// The worker's notification that it has received a job with all of its input. From here on a crash is the
/// picture's fault; before, the job can be given to another worker.
public enum JobBegun {
  public static let method = "job/begun"
}
