# One call makes one wasm variant: objects, link, contract. Threads need only
# another call: tidemark_wasm_variant(threads -mrelaxed-simd -pthread).
#
# dlmalloc: emmalloc compares addresses that wrap near 4 GB, and hands out
# blocks that end beyond the memory.
function(tidemark_wasm_variant name)
  set(target tidemark-${name})
  set(arch -msimd128 -fwasm-exceptions ${ARGN})
  add_library(${target}-core OBJECT ${TIDEMARK_CORE})
  tidemark_sources(${target}-core)
  target_compile_options(${target}-core PRIVATE ${arch})
  add_executable(${target} ${TIDEMARK_WASM} $<TARGET_OBJECTS:${target}-core>)
  tidemark_sources(${target})
  target_compile_options(${target} PRIVATE ${arch})
  target_link_options(${target} PRIVATE
    ${arch} -Oz -lembind --no-entry
    --emit-tsd=${target}.d.ts
    -sMODULARIZE -sEXPORT_ES6 -sUSE_ES6_IMPORT_META=0
    -sENVIRONMENT=web,worker -sFILESYSTEM=0
    -sDYNAMIC_EXECUTION=0 -sEMBIND_AOT -sWASM_BIGINT
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sMALLOC=dlmalloc
    -sEXPORTED_RUNTIME_METHODS=wasmMemory,stackSave,stackRestore
    -Wl,--stack-first  # its end is a trap, no damage
    -sINCOMING_MODULE_JS_API=locateFile,mainScriptUrlOrBlob,wasmBinary,instantiateWasm,wasmMemory)
  set_target_properties(${target} PROPERTIES SUFFIX .js)
endfunction()
