# The module of file formats: what is built for size and for whom is in
# module.cc. Its checksums alone are built for speed: every byte of a
# checkpoint passes them.
file(GLOB TIDEMARK_FORMATS CONFIGURE_DEPENDS core/formats/*.cc)
add_executable(tidemark-formats ${TIDEMARK_FORMATS} core/base/error.cc
               wasm/formats/module.cc)
tidemark_sources(tidemark-formats)
target_compile_options(tidemark-formats PRIVATE
  -Oz -fno-exceptions -fno-rtti -fno-threadsafe-statics -mbulk-memory)
set_source_files_properties(core/formats/crc32c.cc PROPERTIES
                            COMPILE_OPTIONS -O2)
target_link_options(tidemark-formats PRIVATE
  -Oz -fno-exceptions --no-entry -sSTANDALONE_WASM -sMALLOC=none
  -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sINITIAL_HEAP=0
  -sSTACK_SIZE=64KB -Wl,--stack-first,--export=answer)
set_target_properties(tidemark-formats PROPERTIES SUFFIX .wasm)
