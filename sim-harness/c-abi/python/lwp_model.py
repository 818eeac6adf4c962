# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Lightweight Profiling unit as a cycle-accurate model, through ctypes. The names are those of lwp_model.h.

    model = LwpModel(config(retire_lanes=2))
    inputs = Inputs(cpl=3, op_mode=4)
    inputs.lanes[0].valid = 1
    model.step(inputs)
    print(model.outputs().stall)

The library is ../lib/liblwp_model.so, seen from this file, as `make model-c` lays them out; or the file that the environment
variable LWP_MODEL_LIB names.
"""

import ctypes as c
import os

ABI_VERSION = 1
STRAP_WORDS = 3
ROW_WORDS = 79
OK = 0
ERR_MISMATCH = 9


class Refused(Exception):
    """The library refused a call; the text says why."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Mismatch(AssertionError):
    """A row differs from the model's; the text names each field with both values."""


def _bytes(names):
    return [(name, c.c_uint8) for name in names.split()]


class Config(c.Structure):
    """lwp_config_t; begin with `config()`."""

    _fields_ = [
        *_bytes("retire_lanes event_slots latency_bits present avail_ire avail_bre avail_dme avail_int latency_filter"),
        *_bytes("level_filter data_source gather_policy one_per_instr gather_select gather_target store_timing collision"),
        *_bytes("leave_policy fault_policy address_policy address_gate latency_source latency_step latency_phase"),
        *_bytes("prediction head_flush tail_reread tail_nth interval_source missed_mode write_on_full misaligned"),
        *_bytes("flush_outside v86 entropy irq_delay core_id"),
        ("reserved", c.c_uint8 * 3),
        ("lfsr_seed", c.c_uint32),
    ]


class Load(c.Structure):
    """lwp_load_t."""

    _fields_ = [("addr", c.c_uint64), ("latency", c.c_uint32), *_bytes("source miss addr_valid tagged")]


class Lane(c.Structure):
    """lwp_lane_t."""

    _fields_ = [
        ("ip", c.c_uint64),
        ("branch_next", c.c_uint64),
        ("loads", Load * 2),
        *_bytes("valid counts branch_kind branch_taken branch_pred_valid branch_pred_ok"),
        ("reserved", c.c_uint8 * 2),
    ]


class Inputs(c.Structure):
    """lwp_inputs_t."""

    _fields_ = [
        *_bytes("cpl smm op_mode partial alloc_valid alloc_entry fill_valid fill_entry fill_source replay_abort"),
        *_bytes("ctl_valid ctl_op ctl_word mem_gnt mem_rvalid mem_err pf_ack irq_ack"),
        ("reserved", c.c_uint8 * 6),
        ("entropy", c.c_uint32),
        ("fill_latency", c.c_uint32),
        ("fill_ip", c.c_uint64),
        ("ctl_wdata", c.c_uint64),
        ("ctl_ds_base", c.c_uint64),
        ("mem_rdata", c.c_uint64),
        ("lanes", Lane * 8),
    ]


class Outputs(c.Structure):
    """lwp_outputs_t."""

    _fields_ = [
        *_bytes("stall cut_valid cut_lane drain flush_req addr_track rsp_valid rsp_fault rsp_fault_write mem_req mem_cmd"),
        *_bytes("mem_be pf_valid pf_write pf_abort irq"),
        ("msr0", c.c_uint32),
        ("reserved", c.c_uint32),
        ("rsp_rdata", c.c_uint64),
        ("rsp_fault_addr", c.c_uint64),
        ("mem_addr", c.c_uint64),
        ("mem_wdata", c.c_uint64),
        ("pf_addr", c.c_uint64),
    ]


def _load():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "liblwp_model.so")
    path = os.environ.get("LWP_MODEL_LIB", beside)
    if not os.path.isfile(path):
        raise RuntimeError(f"no library {path}: run make model-c, or let LWP_MODEL_LIB name liblwp_model.so")
    library = c.CDLL(path)
    model, row = c.c_void_p, c.POINTER(c.c_uint32)
    for name, arguments in {
        "lwp_config_init": [c.POINTER(Config), c.c_size_t],
        "lwp_model_new": [c.POINTER(Config), c.c_size_t, c.c_uint32, c.POINTER(model)],
        "lwp_model_free": [model],
        "lwp_model_reset": [model],
        "lwp_model_step": [model, c.POINTER(Inputs), c.c_size_t],
        "lwp_model_outputs": [model, c.POINTER(Outputs), c.c_size_t],
        "lwp_model_step_words": [model, row, c.c_uint32],
        "lwp_model_probe": [model, row, c.c_uint32],
        "lwp_model_pack_straps": [model, row, c.c_uint32],
        "lwp_model_pack_inputs": [model, c.POINTER(Inputs), c.c_size_t, row, c.c_uint32],
        "lwp_model_check": [model, row, c.c_uint32],
    }.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, c.c_int32
    library.lwp_model_last_error.argtypes, library.lwp_model_last_error.restype = [], c.c_char_p
    return library


_library = _load()


def _must(status):
    if status != OK:
        raise Refused(status, _library.lwp_model_last_error().decode())


def config(**fields):
    """The default sizes and straps, but for these."""
    result = Config()
    _must(_library.lwp_config_init(c.byref(result), c.sizeof(result)))
    for name, value in fields.items():
        if not hasattr(result, name):
            raise AttributeError(f"there is no strap or size {name}")
        setattr(result, name, value)
    return result


def words(value, count):
    """The words of a row that travels as one wide number, word 0 lowest."""
    return (c.c_uint32 * count).from_buffer_copy(value.to_bytes(4 * count, "little"))


def number(row):
    """A row as one wide number, word 0 lowest."""
    return int.from_bytes(bytes(row), "little")


class LwpModel:
    """One unit and all its registers, as it comes out of reset."""

    def __init__(self, straps=None):
        self._model = c.c_void_p()
        straps = straps or config()
        _must(_library.lwp_model_new(c.byref(straps), c.sizeof(straps), ABI_VERSION, c.byref(self._model)))
        self._input_words = 12 + 11 * straps.retire_lanes

    def __del__(self):
        if getattr(self, "_model", None):
            _library.lwp_model_free(self._model)
            self._model = None

    def reset(self):
        """Every register back to 0."""
        _must(_library.lwp_model_reset(self._model))

    def step(self, inputs):
        """The clock edge that ends the present cycle, in which the unit saw these inputs."""
        _must(_library.lwp_model_step(self._model, c.byref(inputs), c.sizeof(inputs)))

    def step_words(self, row):
        """As `step`, with the inputs in words, as `pack` gives them. If bit 0 of word 0 (rst_n) is 0, this is `reset`."""
        _must(_library.lwp_model_step_words(self._model, row, len(row)))

    def outputs(self):
        """What the unit shows in the present cycle."""
        result = Outputs()
        _must(_library.lwp_model_outputs(self._model, c.byref(result), c.sizeof(result)))
        return result

    def probe(self):
        """Outputs and every register in the present cycle, in words."""
        row = (c.c_uint32 * ROW_WORDS)()
        _must(_library.lwp_model_probe(self._model, row, ROW_WORDS))
        return row

    def straps(self):
        """The straps in words."""
        row = (c.c_uint32 * STRAP_WORDS)()
        _must(_library.lwp_model_pack_straps(self._model, row, STRAP_WORDS))
        return row

    def pack(self, inputs):
        """The inputs in words."""
        row = (c.c_uint32 * self._input_words)()
        _must(_library.lwp_model_pack_inputs(self._model, c.byref(inputs), c.sizeof(inputs), row, self._input_words))
        return row

    def check(self, row):
        """Compares outputs and registers of another unit, in words, with the model's."""
        status = _library.lwp_model_check(self._model, row, len(row))
        if status == ERR_MISMATCH:
            raise Mismatch(_library.lwp_model_last_error().decode())
        _must(status)
