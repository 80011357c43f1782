import CSANE

/// Calls `sane_init`, once the process can tolerate drivers that cancel their threads.
///
/// Drivers read in a thread of their own that may be canceled at any moment (`sanei_thread_kill`).
/// The first thread of a process that ends by `pthread_exit` loads the unwinder with `dlopen`; if
/// it is canceled meanwhile, the dynamic loader stays locked, and the next `dlopen`, `dlclose` or
/// `dladdr` of the process waits forever. So the unwinder is loaded first.
func startSANE() -> SANE_Status {
    csane_load_unwinder()
    var version: SANE_Int = 0
    return sane_init(&version, Authorization.callback)
}
